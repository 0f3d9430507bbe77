import type { test as nodeTest } from 'node:test';
import type { Case } from '../case.js';
import { missingCapabilities, skipReason } from '../runner/missing-capabilities.js';

/**
 * Declares each case as a node:test test with its own harness, and closes the harness afterwards. `capabilities` lists what the
 * harness can do. A case that needs more is skipped with the reason.
 */
export function testAll<H>(
  test: typeof nodeTest,
  cases: readonly Case<H>[],
  open: () => Promise<{ readonly harness: H; close(): Promise<void> }>,
  capabilities: readonly string[] = [],
): void {
  for (const { id, needs, run } of cases) {
    const unmetNeeds = missingCapabilities(needs, capabilities);
    test(id, unmetNeeds.length > 0 ? { skip: skipReason(unmetNeeds) } : {}, async () => {
      const { harness, close } = await open();
      try {
        await run(harness);
      } finally {
        await close();
      }
    });
  }
}
