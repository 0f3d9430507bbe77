import { deepStrictEqual } from 'node:assert';
import { declared, type Filter, type QueryName, queryNames } from '../../core/model/index.js';
import { sampled } from '../arbitraries/holds.js';
import { idOf } from '../arbitraries/ids.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { carriedOut, changed, put, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';
import { byId } from './equality.js';

const count = 12;
const one = { offset: 0, limit: 1 };

/** The scope that a row is in. */
const scopeOf = (name: QueryName, row: AnyRow) =>
  Object.fromEntries(
    Object.entries(declared(name).scope).map(([argument, filter]: [string, Filter]) => {
      if ('eq' in filter) return [argument, row[filter.eq]];
      if ('anyOf' in filter) return [argument, [row[filter.anyOf]]];
      throw new TypeError(`${name} has a scope that no row tells`);
    }),
  );

/** One after the other. */
async function inTurn<T>(questions: readonly (() => Promise<T>)[]): Promise<T[]> {
  const answers: T[] = [];
  for (const ask of questions) answers.push(await ask());
  return answers;
}

/** A storage may answer many questions in one trip: each of them gets its own answer all the same. */
const answeredEach = storageCase('at-once.each-its-own-answer', ['storage: find', 'storage: load'], async (harness) => {
  for (const name of queryNames) {
    const { entity, scope } = declared(name);
    if (Object.values(scope).some((filter) => !('eq' in filter) && !('anyOf' in filter))) continue;
    const storage = await harness.storage();
    const rows = sampled(rowsOf(entity, count));
    await carriedOut(storage, { insert: rows.map((row) => put(entity, row)) });
    const absent = sampled(rowsOf(entity, 2 * count)).slice(count);
    const ids = rows.map(({ id }) => id);
    const questions = [...rows, ...absent, ...rows.slice(0, 3)].flatMap((row, place) => {
      const args = scopeOf(name, row) as never;
      const some = [ids[place % count] ?? '', row.id, ids[(place + 1) % count] ?? ''];
      return [
        () => storage.find(name, args, one),
        () => storage.find(name, args, { ...one, countUpTo: 5 }),
        () => storage.select(name, args, 1),
        async () => byId(await storage.load(name, some)),
        async () => byId(await storage.load(name, ids.slice(place % 5))),
      ] as (() => Promise<unknown>)[];
    });
    const alone = await inTurn(questions);
    deepStrictEqual(await Promise.all(questions.map((ask) => ask())), alone, name);
  }
});

const pipeline = idOf(7);

/** An answer that is on its way is not one to a question that is asked after the next change. */
const neverBefore = storageCase(
  'at-once.no-older-than-asked',
  ['storage: commit', 'storage: find'],
  async (harness) => {
    const storage = await harness.storage();
    let build = row('build', 1, { pipeline_id: pipeline, number: 1, state: 'scheduled' }) as AnyRow;
    await carriedOut(storage, { insert: [put('build', build)] });
    const readers = {
      find: async () => (await storage.find('build.byNumber', { pipeline, number: 1 }, one)).stamps[0]?.version,
      page: async () =>
        (await storage.find('build.ofPipeline', { pipeline }, { ...one, countUpTo: 10 })).stamps[0]?.version,
      select: async () => (await storage.select('build.byNumber', { pipeline, number: 1 }, 1))[0]?.version,
      load: async () => (await storage.load('build.ofPipeline', [build.id]))[0]?.version,
      count: async () => Object.keys(await storage.count('build.ofPipeline', { pipeline }, 'state'))[0],
    };
    for (let round = 0; round < 8; round += 1) {
      const next = changed(build, { state: build.state === 'running' ? 'scheduled' : 'running' });
      const early = Promise.all(Object.values(readers).map((read) => read()));
      early.catch(() => undefined);
      await carriedOut(storage, { replace: [put('build', next)] });
      const late = await Promise.all(Object.values(readers).map((read) => read()));
      const { version, state } = next;
      deepStrictEqual(late, [version, version, version, version, state], 'asked after the change was answered');
      await early;
      build = next;
    }
  },
);

/** Many callers ask a storage in the same moment, as a server under load does. */
export const askingAtOnceCases: readonly StorageCase[] = [answeredEach, neverBefore];
