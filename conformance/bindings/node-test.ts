import type { test as nodeTest } from 'node:test';
import type { Case } from '../case.js';
import { missingCapabilities, skipReason } from '../runner/missing-capabilities.js';

/**
 * Makes every case a test of node:test, each with a harness of its own; what the harness opened is given back afterwards.
 * `claims` are those that the harness makes: a case that needs more is skipped, with the reason.
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
