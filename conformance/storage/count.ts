import { deepStrictEqual } from 'node:assert';
import { type QueryName, queryDefinition, queryNames } from '../../core/model/index.js';
import type { Batch, Storage } from '../../core/ports/index.js';
import { argumentsOf } from '../arbitraries/arguments.js';
import { idOf } from '../arbitraries/ids.js';
import { assertProperty, sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { expectedCounts, expectedRows } from './reference-query.js';

/** Every query that can be counted, with the column that groups the counts. */
export const countedQueries: readonly { readonly name: QueryName; readonly by: string }[] = queryNames.flatMap((name) =>
  (queryDefinition(name).counters ?? []).flatMap((counter) => ('by' in counter ? [{ name, by: counter.by }] : [])),
);

/** The result of `count` for any query. */
export const countOf = (storage: Storage, name: QueryName, args: object, by: string) =>
  storage.count(name as never, args as never, by as never);

const cites = ['storage: count', 'model: Tally'];
const pipeline = idOf(7);
const countStates = (storage: Storage) => storage.count('build.ofPipeline', { pipeline }, 'state');
const build = (number: number, state: string, owner = pipeline) =>
  row('build', number, { pipeline_id: owner, number, state });
const versionOf = ({ id, version }: AnyRow) => ({ entity: 'build', id, version }) as const;
const entityRows = (rows: readonly AnyRow[]) => rows.map((one) => entityRow('build', one));

/** Counts include every commit and no refused one. The `commit.batches` cases check counts after random batches. */
export const countCases: readonly StorageCase[] = [
  ...countedQueries.map(({ name, by }) =>
    storageCase(`count.${name}.${by}`, cites, (harness) => compareCounts(harness, name, by)),
  ),

  storageCase('count.follows-every-change', [...cites, 'storage: Batch'], async (harness) => {
    const storage = await harness.storage();
    deepStrictEqual(await countStates(storage), {});
    const [one, two, three] = [build(1, 'scheduled'), build(2, 'scheduled'), build(3, 'scheduled', idOf(8))];
    await expectCommit(storage, { insert: entityRows([one, two, three]) });
    deepStrictEqual(await countStates(storage), { scheduled: 2 });
    const running = nextVersion(one, { state: 'running' });
    await expectCommit(storage, { replace: entityRows([running, nextVersion(two)]) });
    deepStrictEqual(await countStates(storage), { running: 1, scheduled: 1 });
    await expectCommit(storage, { touch: [versionOf(running)] });
    deepStrictEqual(await countStates(storage), { running: 1, scheduled: 1 });
    const here = nextVersion(three, { pipeline_id: pipeline, number: 3, state: 'failed' });
    await expectCommit(storage, { replace: entityRows([here]), remove: [{ ...versionOf(two), version: 2 }] });
    deepStrictEqual(await countStates(storage), { failed: 1, running: 1 });
    deepStrictEqual(await storage.count('build.ofPipeline', { pipeline: idOf(8) }, 'state'), {});
    // Storages may use another statement for rows that exchange a unique key.
    const exchanged = [
      { ...running, version: 4, number: 3, state: 'passed' },
      { ...nextVersion(here), number: 1 },
    ];
    await expectCommit(storage, { replace: entityRows(exchanged) });
    deepStrictEqual(await countStates(storage), { failed: 1, passed: 1 });
  }),

  storageCase('count.nothing-of-what-was-refused', cites, async (harness) => {
    const storage = await harness.storage();
    const [one, two] = [build(1, 'scheduled'), build(2, 'running')];
    await expectCommit(storage, { insert: entityRows([one, two]) });
    const change: Partial<Batch> = {
      insert: entityRows([build(3, 'scheduled')]),
      replace: entityRows([nextVersion(one, { state: 'passed' })]),
      remove: [versionOf(two)],
    };
    const failingBatches: readonly Partial<Batch>[] = [
      { ...change, expect: [{ ...versionOf(one), version: 7 }] },
      { ...change, expect: [{ none: 'build.ofPipeline', args: { pipeline } }] },
      { ...change, touch: [{ entity: 'build', id: idOf(9) }] },
      { ...change, insert: entityRows([build(3, 'scheduled'), { ...build(4, 'scheduled'), number: 1 }]) },
      { ...change, remove: [{ ...versionOf(two), version: 2 }] },
    ];
    for (const batch of failingBatches) {
      deepStrictEqual('done' in (await storage.commit(batchOf(batch))), false);
      deepStrictEqual(await countStates(storage), { running: 1, scheduled: 1 });
    }
    await expectCommit(storage, change);
    deepStrictEqual(await countStates(storage), { passed: 1, scheduled: 1 });
  }),

  storageCase('count.many-at-once', cites, async (harness) => {
    const storage = await harness.storage();
    const first = Array.from({ length: 10 }, (_, index) => build(index + 1, 'scheduled'));
    await expectCommit(storage, { insert: entityRows(first) });
    const started = first.flatMap((one) =>
      ['running', 'skipped'].map((state) =>
        storage.commit(batchOf({ replace: entityRows([nextVersion(one, { state })]) })),
      ),
    );
    const inserted = Array.from({ length: 20 }, (_, index) =>
      expectCommit(storage, { insert: entityRows([build(100 + index, 'scheduled')]) }),
    );
    await Promise.all([...started, ...inserted]);
    const rows = await storage.select('build.ofPipeline', { pipeline }, 100);
    deepStrictEqual(await countStates(storage), expectedCounts(rows as unknown as AnyRow[], 'state'));
    deepStrictEqual((await countStates(storage)).scheduled, 20);
  }),
];

/** Compares `count` with the reference on random rows, with scope arguments taken from the rows. */
async function compareCounts(harness: StorageHarness, name: QueryName, by: string): Promise<void> {
  const storage = await harness.storage();
  const query = queryDefinition(name);
  const rows = sampleOne(rowsOf(query.entity, 40));
  await expectCommit(storage, { insert: rows.map((one) => entityRow(query.entity, one)) });
  await assertProperty(argumentsOf(query, [], rows), 20, async (args) => {
    deepStrictEqual(await countOf(storage, name, args, by), expectedCounts(expectedRows(name, args, rows), by));
  });
}
