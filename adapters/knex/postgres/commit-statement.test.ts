import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import pg from 'pg';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import type { AnyRow } from '../../../conformance/arbitraries/rows.js';
import { scaledRuns, seed } from '../../../conformance/property-settings.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from '../../../conformance/storage/batch.js';
import type { EntityName } from '../../../core/model/index.js';
import type { Batch, Replace, Storage } from '../../../core/ports/index.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';
import { CommitStatement } from './commit-statement.js';
import { SqlCache } from './sql-fragments.js';
import { QueryStatements } from './statements.js';

const organization_id = idOf(77);
const pipeline_id = idOf(78);
const created_at = '2026-01-31T09:30:00.000Z';
let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

const storageWith = (tablePrefix: string): Storage =>
  knexStorage({
    client: 'postgres',
    connection: database.url,
    tablePrefix,
    random: () => 0,
    pool: { max: 8, acquireTimeout: 60_000 },
  });

/** A query that nothing matches. With it a batch takes its locks in a statement before the one that changes something. */
const neverMatching = [{ none: 'cluster.inOrganization', args: { organization: idOf(999) } }] as const;
const locksFirst = (batch: Batch): Batch => ({ ...batch, expect: [...batch.expect, ...neverMatching] });

const build = (number: number, columns: Readonly<Record<string, unknown>> = {}) =>
  row('build', number, { organization_id, pipeline_id, number, state: 'scheduled', created_at, ...columns });
const job = (number: number, columns: Readonly<Record<string, unknown>> = {}) =>
  row('job', number, { organization_id, pipeline_id, build_id: idOf(1), state: 'scheduled', created_at, ...columns });
const cluster = (number: number, columns: Readonly<Record<string, unknown>> = {}) =>
  row('cluster', number, { organization_id, name: `cluster ${number}`, ...columns });
const replacement = (entity: EntityName, before: AnyRow, columns: Readonly<Record<string, unknown>> = {}): Replace =>
  ({ ...entityRow(entity, nextVersion(before, columns)), before }) as unknown as Replace;

test('commit-statement.few-texts-whatever-the-number-of-records', (t) => {
  const context = { prefix: 't_', sqlCache: new SqlCache(), statements: new QueryStatements('t_') };
  const texts = Array.from({ length: 40 }, (_, index) => index + 1).flatMap((jobs) =>
    new CommitStatement(
      batchOf({
        insert: [
          entityRow('build', build(1)),
          ...Array.from({ length: jobs }, (_, index) => entityRow('job', job(index))),
        ],
      }),
      context,
      false,
    )
      .statements(0)
      .map(({ text }) => text),
  );
  t.is(new Set(texts).size, 8);
});

interface RandomChange {
  readonly entity: 'build' | 'job' | 'cluster';
  readonly kind: 'insert' | 'replace' | 'touch' | 'remove' | 'expect';
  readonly numbers: readonly number[];
  /** How far the versions are from the right ones. */
  readonly versionOffset: number;
  readonly columns: Readonly<Record<string, unknown>>;
}

const numbers = [1, 2, 3, 4];
const rowBuilders = { build, job, cluster };
const columnsOf = {
  build: fc.record({
    state: fc.constantFrom('scheduled', 'running', 'passed'),
    created_at: fc.constantFrom(created_at, '2026-02-01T00:00:00.000Z', '0000-02-29T00:00:00.000Z'),
    meta_data: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')),
  }),
  job: fc.record({ state: fc.constantFrom('scheduled', 'running', 'passed') }),
  cluster: fc.record({ name: fc.constantFrom('one', 'two', 'three', 'four', 'five') }),
};
const randomChangeOf = (entity: RandomChange['entity']): fc.Arbitrary<RandomChange> =>
  fc.record({
    entity: fc.constant(entity),
    kind: fc.constantFrom('insert', 'insert', 'replace', 'replace', 'replace', 'touch', 'remove', 'expect'),
    numbers: fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 1 }),
    versionOffset: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
    columns: columnsOf[entity],
  });
const randomChanges = fc
  .tuple(randomChangeOf('build'), randomChangeOf('job'), randomChangeOf('cluster'))
  .chain((all) => fc.shuffledSubarray(all, { minLength: 1 }));

/** A batch that does one thing with each entity, and mostly fits what is there. */
function batchFrom(list: readonly RandomChange[], currentRows: ReadonlyMap<string, AnyRow>): Batch {
  const parts: { [K in RandomChange['kind']]: unknown[] } = {
    insert: [],
    replace: [],
    touch: [],
    remove: [],
    expect: [],
  };
  for (const { entity, kind, numbers, versionOffset, columns } of list) {
    for (const number of numbers) {
      const before = currentRows.get(`${entity} ${number}`);
      if (kind === 'insert' ? before !== undefined && versionOffset === 0 : before === undefined && versionOffset === 0)
        continue;
      const fresh = rowBuilders[entity](number, entity === 'cluster' ? {} : columns);
      const { id, version } = before ?? fresh;
      const at = { entity, id, version: version + versionOffset };
      if (kind === 'insert') parts.insert.push(entityRow(entity, fresh));
      else if (kind === 'replace' && before !== undefined && versionOffset === 0) {
        parts.replace.push(replacement(entity, before, number === numbers[0] ? columns : {}));
      } else if (kind === 'replace') parts.replace.push(entityRow(entity, { ...fresh, version: at.version + 1 }));
      else parts[kind].push(at);
    }
  }
  return batchOf({ ...(parts as Partial<Batch>), events: [event('tried')] });
}

const event = (type: string) => ({ type, organization_id, at: created_at, data: { '"': '\\', '{': null } });

const contents = async (prefix: string): Promise<unknown> => {
  const ordered = {
    builds: '"id"',
    builds_meta_data: '"record_id", "digest"',
    jobs: '"id"',
    clusters: '"id"',
  };
  const rows = Object.entries(ordered).map(([table, order]) =>
    database.query(`select * from ${prefix}${table} order by ${order}`),
  );
  const events = database.query(`select "type", "organization_id", "at", "data" from ${prefix}events order by "place"`);
  const tallies = database.query(
    `select "owner", "tally", "value", sum("count") as "count" from ${prefix}tallies group by 1, 2, 3 having sum("count") <> 0 order by 1, 2, 3`,
  );
  return Promise.all([...rows, events, tallies]);
};

let runCount = 0;

test.serial('commit-statement.one-statement-does-what-two-do', async (t) => {
  const prefixes = ['o_', 's_'] as const;
  const [singleStatement, lockedFirst] = prefixes.map(storageWith) as [Storage, Storage];
  await Promise.all([singleStatement.prepare(), lockedFirst.prepare()]);
  let committed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(randomChanges, { minLength: 3, maxLength: 8 }), async (list) => {
      runCount += 1;
      for (const prefix of prefixes) {
        const tables = ['builds', 'builds_meta_data', 'jobs', 'clusters', 'events', 'tallies'];
        await database.query(`truncate ${tables.map((table) => prefix + table).join(', ')}`);
      }
      const currentRows = new Map<string, AnyRow>();
      for (const some of list) {
        const batch = batchFrom(some, currentRows);
        const plain = batch.replace.map(({ before: _, ...rest }) => rest as Replace);
        const outcomes = [
          await singleStatement.commit(batch),
          await lockedFirst.commit(locksFirst({ ...batch, replace: plain })),
        ];
        t.is('done' in (outcomes[0] ?? {}), 'done' in (outcomes[1] ?? {}), JSON.stringify(outcomes));
        if ('done' in (outcomes[0] ?? {})) {
          committed += 1;
          applyBatch(batch, currentRows);
        }
      }
      t.deepEqual(await contents('o_'), await contents('s_'));
    }),
    { seed, numRuns: scaledRuns(40) },
  );
  t.true(committed > runCount, 'hardly any batch went through');
  await Promise.all([singleStatement.close(), lockedFirst.close()]);
});

function applyBatch({ insert, replace, touch, remove }: Batch, currentRows: Map<string, AnyRow>): void {
  const keyOf = (entity: string, id: string) =>
    `${entity} ${numbers.find((number) => rowBuilders[entity as RandomChange['entity']](number).id === id)}`;
  for (const { entity, row } of [...insert, ...replace])
    currentRows.set(keyOf(entity, row.id), row as unknown as AnyRow);
  for (const { entity, id } of touch) {
    const key = keyOf(entity, id);
    const before = currentRows.get(key);
    if (before !== undefined) currentRows.set(key, nextVersion(before));
  }
  for (const { entity, id } of remove) currentRows.delete(keyOf(entity, id));
}

/** Batches of one and of two statements on the same records: those that come later find other versions, and change nothing. */
test.serial('commit-statement.one-winner-with-one-and-two-statements', async (t) => {
  const storages = [1, 2].map(() => storageWith('r_'));
  const [storage] = storages as [Storage];
  await storage.prepare();
  const jobs = [11, 12, 13, 14].map((number) => job(number));
  let [before, jobsBefore] = [build(1), jobs];
  await expectCommit(storage, { insert: [entityRow('build', before), ...jobs.map((one) => entityRow('job', one))] });
  for (let round = 1; round <= 20; round++) {
    const columns = { state: round % 2 ? 'running' : 'passed' };
    const racing = Array.from({ length: 8 }, (_, index) => {
      // Some want all jobs and some a part of them; the jobs come in any order.
      const wanted = index % 3 === 0 ? jobsBefore : [...jobsBefore].reverse();
      const batch = batchOf({
        replace: [replacement('build', before, columns), ...wanted.map((one) => replacement('job', one, columns))],
        insert: [entityRow('cluster', cluster(round * 100 + index, { name: `${round} ${index}` }))],
        events: [event(`won.${round}`)],
      });
      return (storages[index % 2] as Storage).commit(index % 4 < 2 ? batch : locksFirst(batch));
    });
    const outcomes = await Promise.all(racing);
    t.is(outcomes.filter((outcome) => 'done' in outcome).length, 1);
    t.true(outcomes.every((outcome) => 'done' in outcome || 'conflict' in outcome));
    before = nextVersion(before, columns);
    jobsBefore = jobsBefore.map((one) => nextVersion(one, columns));
  }
  const [left] = await database.query(
    `select (select count(*) from r_clusters)::int as clusters, (select count(*) from r_events)::int as events`,
  );
  t.deepEqual(left, { clusters: 20, events: 20 });
  t.deepEqual(await storage.count('build.ofPipeline', { pipeline: pipeline_id }, 'state'), { passed: 1 });
  t.deepEqual(await storage.count('job.ofPipeline', { pipeline: pipeline_id, state: ['passed', 'running'] }, 'state'), {
    passed: 4,
  });
  await Promise.all(storages.map((one) => one.close()));
});

/** An expected record is locked: nobody changes it before the batch is committed. */
test.serial('commit-statement.what-is-expected-is-locked', async (t) => {
  const storage = storageWith('h_');
  await storage.prepare();
  const parent = cluster(1);
  const queue = row('queue', 2, { cluster_id: parent.id, key: 'wanted' });
  await expectCommit(storage, { insert: [entityRow('cluster', parent)] });
  const at = { entity: 'cluster', id: parent.id, version: 1 } as const;
  // Somebody else has the key of the queue, so that the batch has to wait when it holds the cluster already.
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  const columns = Object.keys(queue).map((column) => `"${column}"`);
  await other.query('begin');
  await other.query(
    `insert into h_queues (${columns.join()}) values (${columns.map((_, index) => `$${index + 1}`).join()})`,
    Object.values({ ...queue, id: idOf(3) }),
  );
  const adding = storage.commit(batchOf({ expect: [at], insert: [entityRow('queue', queue)] }));
  await untilLocksAwaited(1);
  const removing = storage.commit(batchOf({ remove: [at] }));
  await untilLocksAwaited(2);
  await other.query('rollback');
  await other.end();
  t.deepEqual(await Promise.all([adding, removing]), [{ done: true }, { done: true }]);
  await storage.close();
});

/** Until so many wait for a lock. */
async function untilLocksAwaited(count: number): Promise<void> {
  for (let asked = 0; asked < 500; asked++) {
    const [row] = await database.query(
      `select count(*)::int as "waiting" from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`,
    );
    if (row?.waiting === count) return;
    await pause(5);
  }
  throw new Error(`There are not ${count} that wait for a lock`);
}
