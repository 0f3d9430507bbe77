import test from 'ava';
import { makeExecution, makeSuiteFixture, minutesAfterNine } from '../../../test/support/suite-fixture.js';
import type { Storage } from '../../index.js';
import type { ExecutionInput } from './execution-input.js';

/** Counts trips and rows, both ways. */
function countingStorage(storage: Storage) {
  const count = { reads: 0, rowsRead: 0, commits: 0, rowsWritten: 0 };
  const read = async <T>(rows: Promise<T[]>): Promise<T[]> => {
    const loadedRows = await rows;
    count.reads += 1;
    count.rowsRead += loadedRows.length;
    return loadedRows;
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
  let count: ReturnType<typeof countingStorage>['count'] | undefined;
  const { record } = await makeSuiteFixture((storage) => {
    const made = countingStorage(storage);
    count = made.count;
    return made.wrapped;
  });
  // Half of them are of the test that is recorded then, each on a commit of its own; all are flaky, on the same branch, and `before 3` last.
  await record(
    Array.from({ length: stored }, (_, n) => {
      const pair = Math.floor(n / 2);
      const name = pair % 2 ? {} : { name: `other ${pair}` };
      return makeExecution({
        ...name,
        commit: `before ${pair}`,
        result: n % 2 ? 'passed' : 'failed',
        at: minutesAfterNine(pair === 3 ? 60 : pair % 60),
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
  'a pass': [makeExecution({ commit: 'new', at: minutesAfterNine(100) })],
  'a flake': [
    makeExecution({ commit: 'new', at: minutesAfterNine(100) }),
    makeExecution({ commit: 'new', at: minutesAfterNine(101), result: 'failed' }),
  ],
  'of old commits': [0, 1, 2, 3].map((n) => makeExecution({ commit: `before ${n}`, at: minutesAfterNine(100 + n) })),
  'that came late': [
    makeExecution({ commit: 'before 3', at: minutesAfterNine(-5) }),
    makeExecution({ commit: 'before 3', at: minutesAfterNine(-5), result: 'failed' }),
  ],
};
for (const [name, executions] of Object.entries(cases)) {
  test(`cost.${name}`, async (t) => {
    const [few, many] = [await costAfter(10, executions), await costAfter(10_000, executions)];
    t.deepEqual(many, few);
    t.log(JSON.stringify(many));
  });
}
