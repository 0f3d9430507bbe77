import { deepStrictEqual } from 'node:assert';
import { type Filter, type QueryName, queryDefinition, queryNames } from '../../core/model/index.js';
import { idOf } from '../arbitraries/ids.js';
import { sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { entityRow, expectCommit, nextVersion, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';
import { sortById } from './row-assertions.js';

const count = 12;
const one = { offset: 0, limit: 1 };

/** The scope arguments with which a query finds a row. */
const scopeOf = (name: QueryName, row: AnyRow) =>
  Object.fromEntries(
    Object.entries(queryDefinition(name).scope).map(([argument, filter]: [string, Filter]) => {
      if ('eq' in filter) return [argument, row[filter.eq]];
      if ('anyOf' in filter) return [argument, [row[filter.anyOf]]];
      throw new TypeError(`The scope of ${name} cannot be derived from a row`);
    }),
  );

/** Runs the calls one after another. */
async function sequentially<T>(reads: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (const startRead of reads) results.push(await startRead());
  return results;
}

/** A storage may batch concurrent reads. Each call must get its own result. */
const eachGetsItsOwnResult = storageCase(
  'at-once.each-its-own-answer',
  ['storage: find', 'storage: load'],
  async (harness) => {
    for (const name of queryNames) {
      const { entity, scope } = queryDefinition(name);
      if (Object.values(scope).some((filter) => !('eq' in filter) && !('anyOf' in filter))) continue;
      const storage = await harness.storage();
      const rows = sampleOne(rowsOf(entity, count));
      await expectCommit(storage, { insert: rows.map((row) => entityRow(entity, row)) });
      const absent = sampleOne(rowsOf(entity, 2 * count)).slice(count);
      const ids = rows.map(({ id }) => id);
      const reads = [...rows, ...absent, ...rows.slice(0, 3)].flatMap((row, index) => {
        const args = scopeOf(name, row) as never;
        const some = [ids[index % count] ?? '', row.id, ids[(index + 1) % count] ?? ''];
        return [
          () => storage.find(name, args, one),
          () => storage.find(name, args, { ...one, countUpTo: 5 }),
          () => storage.select(name, args, 1),
          async () => sortById(await storage.load(name, some)),
          async () => sortById(await storage.load(name, ids.slice(index % 5))),
        ] as (() => Promise<unknown>)[];
      });
      const sequentialResults = await sequentially(reads);
      deepStrictEqual(await Promise.all(reads.map((startRead) => startRead())), sequentialResults, name);
    }
  },
);

const pipeline = idOf(7);

/** A read that starts after a commit must not share the result of a read that started before it. */
const noOlderResult = storageCase(
  'at-once.no-older-than-asked',
  ['storage: commit', 'storage: find'],
  async (harness) => {
    const storage = await harness.storage();
    let build = row('build', 1, { pipeline_id: pipeline, number: 1, state: 'scheduled' }) as AnyRow;
    await expectCommit(storage, { insert: [entityRow('build', build)] });
    const readers = {
      find: async () => (await storage.find('build.byNumber', { pipeline, number: 1 }, one)).stamps[0]?.version,
      page: async () =>
        (await storage.find('build.ofPipeline', { pipeline }, { ...one, countUpTo: 10 })).stamps[0]?.version,
      select: async () => (await storage.select('build.byNumber', { pipeline, number: 1 }, 1))[0]?.version,
      load: async () => (await storage.load('build.ofPipeline', [build.id]))[0]?.version,
      count: async () => Object.keys(await storage.count('build.ofPipeline', { pipeline }, 'state'))[0],
    };
    for (let round = 0; round < 8; round += 1) {
      const next = nextVersion(build, { state: build.state === 'running' ? 'scheduled' : 'running' });
      const early = Promise.all(Object.values(readers).map((read) => read()));
      early.catch(() => undefined);
      await expectCommit(storage, { replace: [entityRow('build', next)] });
      const late = await Promise.all(Object.values(readers).map((read) => read()));
      const { version, state } = next;
      deepStrictEqual(late, [version, version, version, version, state], 'read after the commit was acknowledged');
      await early;
      build = next;
    }
  },
);

/** Many callers read at the same time, as on a server under load. */
export const concurrentReadCases: readonly StorageCase[] = [eachGetsItsOwnResult, noOlderResult];
