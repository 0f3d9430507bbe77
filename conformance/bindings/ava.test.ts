import test, { type TestFn } from 'ava';
import type { Case } from '../case.js';
import { testAll } from './ava.js';

type Body = (t: { pass(): void }) => Promise<void>;

test('each case is a test; a case with a missing capability is skipped with the reason', async (t) => {
  const bodies = new Map<string, Body>();
  const skipped: string[] = [];
  const declare = (title: string, body: Body) => void bodies.set(title, body);
  const recording = Object.assign(declare, { skip: (title: string) => skipped.push(title) });
  let closed = 0;
  const open = async () => ({
    harness: { sum: 3 },
    close: async () => {
      closed += 1;
    },
  });
  const one = (id: string, wanted: number, needs: readonly string[] = []): Case<{ sum: number }> => ({
    id,
    cites: '',
    needs,
    run: async ({ sum }) => void t.is(sum, wanted),
  });
  const cases = [one('right', 3, ['wings']), one('flies', 3, ['wings', 'gills', 'fins'])];
  testAll(recording as unknown as TestFn, cases, open, ['wings']);
  t.deepEqual([...bodies.keys()], ['right']);
  t.deepEqual(skipped, ['flies: needs gills, fins, which is not declared']);
  let passed = 0;
  const pass = () => {
    passed += 1;
  };
  await bodies.get('right')?.({ pass });
  t.deepEqual([passed, closed], [1, 1]);
  testAll(recording as unknown as TestFn, [{ ...one('thrown', 3), run: () => Promise.reject(new Error('no')) }], open);
  await t.throwsAsync(bodies.get('thrown')?.({ pass }) ?? Promise.resolve(), { message: 'no' });
  t.is(closed, 2, 'the harness is closed after a failure too');
});
