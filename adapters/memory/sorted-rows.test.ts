import test from 'ava';
import fc from 'fast-check';
import { SortedRows } from './sorted-rows.js';

const row = (number: number) => ({ id: String(number), version: number });

test('sorted.like-an-array', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(3_000), fc.boolean()), { minLength: 1, maxLength: 3_000, size: 'max' }),
      (moves) => {
        const sorted = new SortedRows((a, b) => a.version - b.version);
        const plain = new Set<number>();
        for (const [number, add] of moves) {
          if (add && !plain.has(number)) sorted.add({ row: row(number) });
          else if (!add && plain.has(number)) sorted.remove(row(number));
          if (add) plain.add(number);
          else plain.delete(number);
        }
        const expected = [...plain].sort((a, b) => a - b);
        const skip = expected.length >>> 1;
        t.is(sorted.size, expected.length);
        t.deepEqual(
          [...sorted.rows()].map(({ version }) => version),
          expected,
        );
        t.deepEqual(
          [...sorted.rows(skip)].map(({ version }) => version),
          expected.slice(skip),
        );
      },
    ),
    { seed: 20_260_117, numRuns: 10 },
  );
});
