import type { test as nodeTest } from 'node:test';
import type { Case } from '../case.js';
import { missing, whyNot } from '../runner/needs.js';

/**
 * Makes every case a test of node:test, each with a harness of its own; what the harness opened is given back afterwards.
 * `claims` are those that the harness makes: a case that needs more is skipped, with the reason.
 */
export function testAll<H>(
  test: typeof nodeTest,
  cases: readonly Case<H>[],
  open: () => Promise<{ readonly harness: H; close(): Promise<void> }>,
  claims: readonly string[] = [],
): void {
  for (const { id, needs, run } of cases) {
    const lacking = missing(needs, claims);
    test(id, lacking.length > 0 ? { skip: whyNot(lacking) } : {}, async () => {
      const { harness, close } = await open();
      try {
        await run(harness);
      } finally {
        await close();
      }
    });
  }
}
