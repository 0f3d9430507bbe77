import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import pg from 'pg';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import type { AnyRow } from '../../../conformance/arbitraries/rows.js';
import { runs, seed } from '../../../conformance/settings.js';
import { batchOf, carriedOut, changed, put, row } from '../../../conformance/storage/batch.js';
import type { EntityName } from '../../../core/model/index.js';
import type { Batch, Replace, Storage } from '../../../core/ports/index.js';
import { knexStorage } from '../index.js';
import { AtOnce } from './at-once.js';
import { Texts } from './pieces.js';
import { type Database, freshDatabase } from './testing/_database.test.js';

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
    chance: () => 0,
    pool: { max: 8, acquireTimeout: 60_000 },
  });

/** What nothing can match, so that it changes nothing but the way: it is looked for under a lock. */
const nothing = [{ none: 'cluster.inOrganization', args: { organization: idOf(999) } }] as const;
const stepByStep = (batch: Batch): Batch => ({ ...batch, expect: [...batch.expect, ...nothing] });

const build = (number: number, columns: Readonly<Record<string, unknown>> = {}) =>
  row('build', number, { organization_id, pipeline_id, number, state: 'scheduled', created_at, ...columns });
const job = (number: number, columns: Readonly<Record<string, unknown>> = {}) =>
  row('job', number, { organization_id, pipeline_id, build_id: idOf(1), state: 'scheduled', created_at, ...columns });
const cluster = (number: number, columns: Readonly<Record<string, unknown>> = {}) =>
  row('cluster', number, { organization_id, name: `cluster ${number}`, ...columns });
const replacing = (entity: EntityName, before: AnyRow, columns: Readonly<Record<string, unknown>> = {}): Replace =>
  ({ ...put(entity, changed(before, columns)), before }) as unknown as Replace;

test('at-once.suits', (t) => {
  const [one, two] = [build(1), build(2)];
  t.true(AtOnce.suits(batchOf({ replace: [put('build', one), put('build', two)], insert: [put('job', job(1))] })));
  t.false(
    AtOnce.suits(batchOf({ replace: [put('build', one)], insert: [put('build', two)] })),
    'a table changed twice',
  );
  t.false(AtOnce.suits(batchOf({ expect: nothing })));
  const many = Array.from({ length: 17 }, (_, number) => put('job', job(number)));
  t.true(AtOnce.suits(batchOf({ insert: many.slice(1) })));
  t.false(AtOnce.suits(batchOf({ insert: many })));
});

test('at-once.few-texts', (t) => {
  const texts = new Texts();
  const statements = Array.from({ length: 16 }, (_, jobs) =>
    new AtOnce(
      batchOf({
        insert: [put('build', build(1)), ...Array.from({ length: jobs + 1 }, (_, place) => put('job', job(place)))],
      }),
      't_',
      texts,
    ).statement(0),
  );
  t.true(new Set(statements.map(({ text }) => text)).size <= 7);
});

interface Move {
  readonly entity: 'build' | 'job' | 'cluster';
  readonly kind: 'insert' | 'replace' | 'touch' | 'remove' | 'expect';
  readonly numbers: readonly number[];
  /** How far the versions are from the right ones. */
  readonly off: number;
  readonly columns: Readonly<Record<string, unknown>>;
}

const numbers = [1, 2, 3, 4];
const made = { build, job, cluster };
const columnsOf = {
  build: fc.record({
    state: fc.constantFrom('scheduled', 'running', 'passed'),
    created_at: fc.constantFrom(created_at, '2026-02-01T00:00:00.000Z', '0000-02-29T00:00:00.000Z'),
    meta_data: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')),
  }),
  job: fc.record({ state: fc.constantFrom('scheduled', 'running', 'passed') }),
  cluster: fc.record({ name: fc.constantFrom('one', 'two', 'three', 'four', 'five') }),
};
const moveOf = (entity: Move['entity']): fc.Arbitrary<Move> =>
  fc.record({
    entity: fc.constant(entity),
    kind: fc.constantFrom('insert', 'insert', 'replace', 'replace', 'replace', 'touch', 'remove', 'expect'),
    numbers: fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 1 }),
    off: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
    columns: columnsOf[entity],
  });
const moves = fc
  .tuple(moveOf('build'), moveOf('job'), moveOf('cluster'))
  .chain((all) => fc.shuffledSubarray(all, { minLength: 1 }));

/** A batch that does one thing with each entity, and mostly fits what is there. */
function batchFrom(list: readonly Move[], known: ReadonlyMap<string, AnyRow>): Batch {
  const parts: { [K in Move['kind']]: unknown[] } = { insert: [], replace: [], touch: [], remove: [], expect: [] };
  for (const { entity, kind, numbers, off, columns } of list) {
    for (const number of numbers) {
      const before = known.get(`${entity} ${number}`);
      if (kind === 'insert' ? before !== undefined && off === 0 : before === undefined && off === 0) continue;
      const fresh = made[entity](number, entity === 'cluster' ? {} : columns);
      const { id, version } = before ?? fresh;
      const at = { entity, id, version: version + off };
      if (kind === 'insert') parts.insert.push(put(entity, fresh));
      else if (kind === 'replace' && before !== undefined && off === 0) {
        parts.replace.push(replacing(entity, before, number === numbers[0] ? columns : {}));
      } else if (kind === 'replace') parts.replace.push(put(entity, { ...fresh, version: at.version + 1 }));
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

let generated = 0;

test.serial('at-once.does-what-is-done-step-by-step', async (t) => {
  const prefixes = ['o_', 's_'] as const;
  const [once, steps] = prefixes.map(storageWith) as [Storage, Storage];
  await Promise.all([once.prepare(), steps.prepare()]);
  let carried = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(moves, { minLength: 3, maxLength: 8 }), async (list) => {
      generated += 1;
      for (const prefix of prefixes) {
        const tables = ['builds', 'builds_meta_data', 'jobs', 'clusters', 'events', 'tallies'];
        await database.query(`truncate ${tables.map((table) => prefix + table).join(', ')}`);
      }
      const known = new Map<string, AnyRow>();
      for (const some of list) {
        const batch = batchFrom(some, known);
        t.true(AtOnce.suits(batch));
        const plain = batch.replace.map(({ before: _, ...rest }) => rest as Replace);
        const outcomes = [await once.commit(batch), await steps.commit(stepByStep({ ...batch, replace: plain }))];
        t.is('done' in (outcomes[0] ?? {}), 'done' in (outcomes[1] ?? {}), JSON.stringify(outcomes));
        if ('done' in (outcomes[0] ?? {})) {
          carried += 1;
          follow(batch, known);
        }
      }
      t.deepEqual(await contents('o_'), await contents('s_'));
    }),
    { seed, numRuns: runs(40) },
  );
  t.true(carried > generated, 'hardly any batch went through');
  await Promise.all([once.close(), steps.close()]);
});

function follow({ insert, replace, touch, remove }: Batch, known: Map<string, AnyRow>): void {
  const keyOf = (entity: string, id: string) =>
    `${entity} ${numbers.find((number) => made[entity as Move['entity']](number).id === id)}`;
  for (const { entity, row } of [...insert, ...replace]) known.set(keyOf(entity, row.id), row as unknown as AnyRow);
  for (const { entity, id } of touch) {
    const key = keyOf(entity, id);
    const before = known.get(key);
    if (before !== undefined) known.set(key, changed(before));
  }
  for (const { entity, id } of remove) known.delete(keyOf(entity, id));
}

/** Both ways at once, at the same records: whoever comes second finds that they are not at their version any more. */
test.serial('at-once.one-winner-in-both-ways', async (t) => {
  const storages = [1, 2].map(() => storageWith('r_'));
  const [storage] = storages as [Storage];
  await storage.prepare();
  const jobs = [11, 12, 13, 14].map((number) => job(number));
  let [before, jobsBefore] = [build(1), jobs];
  await carriedOut(storage, { insert: [put('build', before), ...jobs.map((one) => put('job', one))] });
  for (let round = 1; round <= 20; round++) {
    const columns = { state: round % 2 ? 'running' : 'passed' };
    const racing = Array.from({ length: 8 }, (_, place) => {
      // Some want all jobs and some a part of them; the jobs come in any order.
      const wanted = place % 3 === 0 ? jobsBefore : [...jobsBefore].reverse();
      const batch = batchOf({
        replace: [replacing('build', before, columns), ...wanted.map((one) => replacing('job', one, columns))],
        insert: [put('cluster', cluster(round * 100 + place, { name: `${round} ${place}` }))],
        events: [event(`won.${round}`)],
      });
      return (storages[place % 2] as Storage).commit(place % 4 < 2 ? batch : stepByStep(batch));
    });
    const outcomes = await Promise.all(racing);
    t.is(outcomes.filter((outcome) => 'done' in outcome).length, 1);
    t.true(outcomes.every((outcome) => 'done' in outcome || 'conflict' in outcome));
    before = changed(before, columns);
    jobsBefore = jobsBefore.map((one) => changed(one, columns));
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

/** Who expects a record to stay as it is holds it: nobody changes it before all of the batch is there. */
test.serial('at-once.what-is-expected-is-held', async (t) => {
  const storage = storageWith('h_');
  await storage.prepare();
  const parent = cluster(1);
  const queue = row('queue', 2, { cluster_id: parent.id, key: 'wanted' });
  await carriedOut(storage, { insert: [put('cluster', parent)] });
  const at = { entity: 'cluster', id: parent.id, version: 1 } as const;
  // Somebody else has the key of the queue, so that the batch has to wait when it holds the cluster already.
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  const columns = Object.keys(queue).map((column) => `"${column}"`);
  await other.query('begin');
  await other.query(
    `insert into h_queues (${columns.join()}) values (${columns.map((_, place) => `$${place + 1}`).join()})`,
    Object.values({ ...queue, id: idOf(3) }),
  );
  const adding = storage.commit(batchOf({ expect: [at], insert: [put('queue', queue)] }));
  await waiting(1);
  const removing = storage.commit(batchOf({ remove: [at] }));
  await waiting(2);
  await other.query('rollback');
  await other.end();
  t.deepEqual(await Promise.all([adding, removing]), [{ done: true }, { done: true }]);
  await storage.close();
});

/** Until so many wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (let asked = 0; asked < 500; asked++) {
    const [row] = await database.query(
      `select count(*)::int as "waiting" from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`,
    );
    if (row?.waiting === count) return;
    await pause(5);
  }
  throw new Error(`There are not ${count} that wait for a lock`);
}
