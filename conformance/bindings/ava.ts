import type { SerialFn, TestFn } from 'ava';
import type { Case } from '../case.js';

/** Makes every case a test of AVA, each with a harness of its own; what the harness opened is given back afterwards. */
export function testAll<H>(
  test: TestFn | SerialFn,
  cases: readonly Case<H>[],
  open: () => Promise<{ readonly harness: H; close(): Promise<void> }>,
): void {
  for (const { id, run } of cases) {
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
