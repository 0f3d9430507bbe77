import type { test as nodeTest } from 'node:test';
import type { Case } from '../case.js';

/** Makes every case a test of node:test, each with a harness of its own; what the harness opened is given back afterwards. */
export function testAll<H>(
  test: typeof nodeTest,
  cases: readonly Case<H>[],
  open: () => Promise<{ readonly harness: H; close(): Promise<void> }>,
): void {
  for (const { id, run } of cases) {
    test(id, async () => {
      const { harness, close } = await open();
      try {
        await run(harness);
      } finally {
        await close();
      }
    });
  }
}
