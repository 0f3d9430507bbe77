import test from 'ava';
import type { Storage } from '../../index.js';
import { at, execution, makeWorld } from './_suite.test.js';
import type { ExecutionInput } from './input.js';

/** Counts trips and rows, both ways. */
function counting(storage: Storage) {
  const count = { reads: 0, rowsRead: 0, commits: 0, rowsWritten: 0 };
  const read = async <T>(rows: Promise<T[]>): Promise<T[]> => {
    const given = await rows;
    count.reads += 1;
    count.rowsRead += given.length;
    return given;
  };
  const wrapped: Storage = {
    ...storage,
    select: (query, args, limit) => read(storage.select(query, args, limit)),
    load: (query, ids) => read(storage.load(query, ids)),
    async find(query, args, window) {
      const found = await storage.find(query, args, window);
      count.reads += 1;
      count.rowsRead += found.stamps.length;
      return found;
    },
    commit(batch) {
      count.commits += 1;
      count.rowsWritten += batch.insert.length + batch.replace.length + batch.remove.length + batch.touch.length;
      return storage.commit(batch);
    },
  };
  return { wrapped, count };
}

/** What one call costs when so many executions of the same and of other tests were recorded before. */
async function costAfter(stored: number, executions: readonly ExecutionInput[]) {
  let count: ReturnType<typeof counting>['count'] | undefined;
  const { record } = await makeWorld((storage) => {
    const made = counting(storage);
    count = made.count;
    return made.wrapped;
  });
  // Half of them are of the test that is recorded then, each on a commit of its own; all are flaky, on the same branch, and `before 3` last.
  await record(
    Array.from({ length: stored }, (_, n) => {
      const pair = Math.floor(n / 2);
      const name = pair % 2 ? {} : { name: `other ${pair}` };
      return execution({
        ...name,
        commit: `before ${pair}`,
        result: n % 2 ? 'passed' : 'failed',
        at: at(pair === 3 ? 60 : pair % 60),
      });
    }),
  );
  const before = { ...count };
  await record(executions);
  return Object.fromEntries(
    Object.entries(count ?? {}).map(([what, now]) => [what, now - (before[what as keyof typeof before] ?? 0)]),
  );
}

const cases: Readonly<Record<string, readonly ExecutionInput[]>> = {
  'a pass': [execution({ commit: 'new', at: at(100) })],
  'a flake': [execution({ commit: 'new', at: at(100) }), execution({ commit: 'new', at: at(101), result: 'failed' })],
  'of old commits': [0, 1, 2, 3].map((n) => execution({ commit: `before ${n}`, at: at(100 + n) })),
  'that came late': [
    execution({ commit: 'before 3', at: at(-5) }),
    execution({ commit: 'before 3', at: at(-5), result: 'failed' }),
  ],
};
for (const [name, executions] of Object.entries(cases)) {
  test(`cost.${name}`, async (t) => {
    const [few, many] = [await costAfter(10, executions), await costAfter(10_000, executions)];
    t.deepEqual(many, few);
    t.log(JSON.stringify(many));
  });
}
