import type { SerialFn, TestFn } from 'ava';
import type { Case } from '../case.js';
import { missingCapabilities, skipReason } from '../runner/missing-capabilities.js';

/**
 * Makes every case a test of AVA, each with a harness of its own; what the harness opened is given back afterwards. `claims` are
 * those that the harness makes: a case that needs more is a skipped test, whose title ends in the reason.
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
