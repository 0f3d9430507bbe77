import { deepStrictEqual } from 'node:assert';
import { declared, type QueryName, queryNames } from '../../core/model/index.js';
import type { Batch, Storage } from '../../core/ports/index.js';
import { argumentsOf } from '../arbitraries/arguments.js';
import { holds, sampled } from '../arbitraries/holds.js';
import { idOf } from '../arbitraries/ids.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { batchOf, carriedOut, changed, put, row } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { expectedCounts, expectedRows } from './reference.js';

/** Every query that is kept counted, with the column by which it is. */
export const counted: readonly { readonly name: QueryName; readonly by: string }[] = queryNames.flatMap((name) =>
  (declared(name).tallied ?? []).flatMap((tally) => ('by' in tally ? [{ name, by: tally.by }] : [])),
);

/** What `count` answers, whatever the query. */
export const countOf = (storage: Storage, name: QueryName, args: object, by: string) =>
  storage.count(name as never, args as never, by as never);

const cites = ['storage: count', 'model: Tally'];
const pipeline = idOf(7);
const statesOf = (storage: Storage) => storage.count('build.ofPipeline', { pipeline }, 'state');
const build = (number: number, state: string, owner = pipeline) =>
  row('build', number, { pipeline_id: owner, number, state });
const at = ({ id, version }: AnyRow) => ({ entity: 'build', id, version }) as const;
const puts = (rows: readonly AnyRow[]) => rows.map((one) => put('build', one));

/** Counters that follow every change, and nothing that was not done. What random batches do to them is seen with `commit`. */
export const countingCases: readonly StorageCase[] = [
  ...counted.map(({ name, by }) => storageCase(`count.${name}.${by}`, cites, (harness) => compare(harness, name, by))),

  storageCase('count.follows-every-change', [...cites, 'storage: Batch'], async (harness) => {
    const storage = await harness.storage();
    deepStrictEqual(await statesOf(storage), {});
    const [one, two, three] = [build(1, 'scheduled'), build(2, 'scheduled'), build(3, 'scheduled', idOf(8))];
    await carriedOut(storage, { insert: puts([one, two, three]) });
    deepStrictEqual(await statesOf(storage), { scheduled: 2 });
    const running = changed(one, { state: 'running' });
    await carriedOut(storage, { replace: puts([running, changed(two)]) });
    deepStrictEqual(await statesOf(storage), { running: 1, scheduled: 1 });
    await carriedOut(storage, { touch: [at(running)] });
    deepStrictEqual(await statesOf(storage), { running: 1, scheduled: 1 });
    const here = changed(three, { pipeline_id: pipeline, number: 3, state: 'failed' });
    await carriedOut(storage, { replace: puts([here]), remove: [{ ...at(two), version: 2 }] });
    deepStrictEqual(await statesOf(storage), { failed: 1, running: 1 });
    deepStrictEqual(await storage.count('build.ofPipeline', { pipeline: idOf(8) }, 'state'), {});
    // Two that exchange a unique key may take another way through a storage.
    const exchanged = [
      { ...running, version: 4, number: 3, state: 'passed' },
      { ...changed(here), number: 1 },
    ];
    await carriedOut(storage, { replace: puts(exchanged) });
    deepStrictEqual(await statesOf(storage), { failed: 1, passed: 1 });
  }),

  storageCase('count.nothing-of-what-was-refused', cites, async (harness) => {
    const storage = await harness.storage();
    const [one, two] = [build(1, 'scheduled'), build(2, 'running')];
    await carriedOut(storage, { insert: puts([one, two]) });
    const change: Partial<Batch> = {
      insert: puts([build(3, 'scheduled')]),
      replace: puts([changed(one, { state: 'passed' })]),
      remove: [at(two)],
    };
    const wrong: readonly Partial<Batch>[] = [
      { ...change, expect: [{ ...at(one), version: 7 }] },
      { ...change, expect: [{ none: 'build.ofPipeline', args: { pipeline } }] },
      { ...change, touch: [{ entity: 'build', id: idOf(9) }] },
      { ...change, insert: puts([build(3, 'scheduled'), { ...build(4, 'scheduled'), number: 1 }]) },
      { ...change, remove: [{ ...at(two), version: 2 }] },
    ];
    for (const batch of wrong) {
      deepStrictEqual('done' in (await storage.commit(batchOf(batch))), false);
      deepStrictEqual(await statesOf(storage), { running: 1, scheduled: 1 });
    }
    await carriedOut(storage, change);
    deepStrictEqual(await statesOf(storage), { passed: 1, scheduled: 1 });
  }),

  storageCase('count.many-at-once', cites, async (harness) => {
    const storage = await harness.storage();
    const first = Array.from({ length: 10 }, (_, place) => build(place + 1, 'scheduled'));
    await carriedOut(storage, { insert: puts(first) });
    const started = first.flatMap((one) =>
      ['running', 'skipped'].map((state) => storage.commit(batchOf({ replace: puts([changed(one, { state })]) }))),
    );
    const made = Array.from({ length: 20 }, (_, place) =>
      carriedOut(storage, { insert: puts([build(100 + place, 'scheduled')]) }),
    );
    await Promise.all([...started, ...made]);
    const rows = await storage.select('build.ofPipeline', { pipeline }, 100);
    deepStrictEqual(await statesOf(storage), expectedCounts(rows as unknown as AnyRow[], 'state'));
    deepStrictEqual((await statesOf(storage)).scheduled, 20);
  }),
];

/** Random rows, and the arguments of the scope drawn from them. */
async function compare(harness: StorageHarness, name: QueryName, by: string): Promise<void> {
  const storage = await harness.storage();
  const query = declared(name);
  const rows = sampled(rowsOf(query.entity, 40));
  await carriedOut(storage, { insert: rows.map((one) => put(query.entity, one)) });
  await holds(argumentsOf(query, [], rows), 20, async (args) => {
    deepStrictEqual(await countOf(storage, name, args, by), expectedCounts(expectedRows(name, args, rows), by));
  });
}
