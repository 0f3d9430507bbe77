import type { SerialFn, TestFn } from 'ava';
import type { Case } from '../case.js';
import { missingCapabilities, skipReason } from '../runner/missing-capabilities.js';

/**
 * Declares each case as an AVA test with its own harness, and closes the harness afterwards. `capabilities` lists what the harness
 * can do. A case that needs more becomes a skipped test whose title ends with the reason.
 */
export function testAll<H>(
  test: TestFn | SerialFn,
  cases: readonly Case<H>[],
  open: () => Promise<{ readonly harness: H; close(): Promise<void> }>,
  capabilities: readonly string[] = [],
): void {
  for (const { id, needs, run } of cases) {
    const unmetNeeds = missingCapabilities(needs, capabilities);
    if (unmetNeeds.length > 0) {
      test.skip(`${id}: ${skipReason(unmetNeeds)}`, () => {});
      continue;
    }
    test(id, async (t) => {
      const { harness, close } = await open();
      try {
        await run(harness);
        t.pass();
      } finally {
        await close();
      }
    });
  }
}
