import test from 'ava';
import knex from 'knex';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { entityRow, expectCommit, nextVersion, row } from '../../../conformance/storage/batch.js';
import type { Storage } from '../../../core/ports/index.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';

const pipeline = idOf(7);
const build = (number: number, created_at: string) =>
  row('build', number, { organization_id: idOf(8), pipeline_id: pipeline, number, state: 'passed', created_at });
const builds = ['1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '0000-02-29T00:00:00.000Z'].map(
  (created_at, index) => build(index + 1, created_at),
);

let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

test.serial('counters.count-records-of-before-the-migration', async (t) => {
  const options = { client: 'postgres', connection: database.url, random: () => 0 } as const;
  const first = knexStorage(options);
  await first.prepare();
  await expectCommit(first, { insert: builds.map((one) => entityRow('build', one)) });
  const counterRows = () => database.query('select * from millrace_tallies order by "owner", "tally", "value", "slot"');
  const rowsBefore = await counterRows();
  t.is(rowsBefore.length, 1 + 3 + 3 + 3 + 3);
  // The schema of the first release, with the data in it.
  await database.query('drop table millrace_tallies');
  await database.query('delete from millrace_migrations where "version" > 1');
  for (const [table, columns] of [
    ['test_branches', ['test_id', 'branch', 'id']],
    ['test_commits', ['test_id', 'commit', 'id']],
    ['tests', ['suite_id', 'identity', 'id']],
  ] as const)
    await database.query(
      `create index millrace_${table}_${columns.join('_')} on millrace_${table} (${columns.map((column) => `"${column}"`).join()})`,
    );
  const others = [1, 2, 3].map(() => knexStorage(options));
  await Promise.all(others.map((storage) => storage.prepare()));
  t.deepEqual(await counterRows(), rowsBefore);
  t.deepEqual(await others[0]?.count('build.ofPipeline', { pipeline }, 'state'), { passed: 3 });
  await Promise.all([first, ...others].map((storage) => storage.close()));
});

test.serial('counters.in-a-transaction-of-the-host', async (t) => {
  const host = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 3 } });
  const before = knexStorage({ knex: host, tablePrefix: 'ci_' });
  await before.prepare();
  const transaction = await host.transaction();
  const inside = knexStorage({ knex: transaction, tablePrefix: 'ci_' });
  await expectCommit(inside, { insert: builds.map((one) => entityRow('build', one)) });
  t.deepEqual(await inside.count('build.ofPipeline', { pipeline }, 'state'), { passed: 3 });
  await inside.close();
  await transaction.rollback();
  t.deepEqual(await before.count('build.ofPipeline', { pipeline }, 'state'), {});
  await before.close();
  await host.destroy();
});

test.serial('counters.spread-over-slots', async (t) => {
  const storages = [0.1, 0.3, 0.5, 0.7, 0.9].map((random) =>
    knexStorage({ client: 'postgres', connection: database.url, tablePrefix: 's_', random: () => random }),
  );
  const [first, second, third, fourth, storage] = storages as Storage[] as [
    Storage,
    Storage,
    Storage,
    Storage,
    Storage,
  ];
  await storage.prepare();
  const [one, two, three] = builds as [(typeof builds)[0], (typeof builds)[0], (typeof builds)[0]];
  await expectCommit(first, { insert: [entityRow('build', one)] });
  await expectCommit(second, { insert: [entityRow('build', two), entityRow('build', three)] });
  const running = nextVersion(one, { state: 'running' });
  await expectCommit(third, { replace: [entityRow('build', running)] });
  await expectCommit(fourth, { remove: [{ entity: 'build', id: two.id, version: 1 }] });
  const rows = await database.query('select distinct "slot" from s_tallies');
  t.is(rows.length, 4);
  t.deepEqual(await storage.count('build.ofPipeline', { pipeline }, 'state'), { passed: 1, running: 1 });
  // What has not changed in what is counted costs no counter a change.
  const before = await database.query('select * from s_tallies order by "owner", "tally", "value", "slot"');
  await expectCommit(storage, { replace: [entityRow('build', nextVersion(running, { message: 'other' }))] });
  t.deepEqual(await database.query('select * from s_tallies order by "owner", "tally", "value", "slot"'), before);
  await Promise.all(storages.map((one) => one.close()));
});

/** A commit holds a counter until it is on the disk; two that take the same ones in different orders would wait for ever. */
test.serial('counters.no-deadlock', async (t) => {
  let retries = 0;
  const storages = [1, 2].map(() =>
    knexStorage({
      client: 'postgres',
      connection: database.url,
      tablePrefix: 'd_',
      random: () => 0,
      sleep: async () => {
        retries += 1;
      },
      pool: { max: 6, acquireTimeout: 60_000 },
    }),
  );
  const [storage] = storages;
  if (storage === undefined) return;
  await storage.prepare();
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...build(100 + index, `2026-01-${10 + (index % 9)}T00:00:00.000Z`),
    state: `s${index % 5}`,
  }));
  await Promise.all(
    many.map((one, index) =>
      expectCommit(storages[index % 2] ?? storage, {
        insert: [one, { ...one, id: idOf(300 + index), number: 300 + index, state: `s${(index + 3) % 5}` }].map((row) =>
          entityRow('build', row),
        ),
      }),
    ),
  );
  const moved = many.map((one, index) => nextVersion(one, { state: `s${(index + 1) % 5}` }));
  await Promise.all(
    moved.map((one, index) =>
      expectCommit(storages[index % 2] ?? storage, {
        replace: [entityRow('build', one)],
        insert: [entityRow('build', { ...one, version: 1, id: idOf(500 + index), number: 500 + index })],
      }),
    ),
  );
  t.is(retries, 0, 'the server has broken up a deadlock');
  const counts = await storage.count('build.ofPipeline', { pipeline }, 'state');
  t.is(
    Object.values(counts).reduce((sum, count) => sum + count, 0),
    180,
  );
  await Promise.all(storages.map((one) => one.close()));
  const [{ deadlocks } = {}] = await database.query(
    'select "deadlocks" from pg_stat_database where "datname" = current_database()',
  );
  t.is(Number(deadlocks), 0);
});
