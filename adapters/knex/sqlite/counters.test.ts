import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import knex from 'knex';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { entityRow, expectCommit, row } from '../../../conformance/storage/batch.js';
import { knexStorage } from '../index.js';
import { Connections } from './connections.js';

const pipeline = idOf(7);
const builds = ['1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '0000-02-29T00:00:00.000Z'].map(
  (created_at, index) =>
    row('build', index + 1, {
      organization_id: idOf(8),
      pipeline_id: pipeline,
      number: index,
      state: 'passed',
      created_at,
    }),
);

test('counters.count-records-of-before-the-migration', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const filename = join(directory, 'a.db');
  const first = knexStorage({ client: 'sqlite', filename });
  await first.prepare();
  await expectCommit(first, { insert: builds.map((build) => entityRow('build', build)) });
  const connections = new Connections({ client: 'sqlite', filename });
  const counterRows = () =>
    connections.withoutTransaction((session) =>
      session.all('select * from "millrace_tallies" order by "owner", "tally", "value", "slot"'),
    );
  const rowsBefore = await counterRows();
  t.is(rowsBefore.length, 1 + 3 + 3 + 3 + 3);
  // The schema of the first release, with the data in it.
  await connections.withoutTransaction((session) =>
    session.exec(`drop table "millrace_tallies"; delete from "millrace_migrations" where "version" > 1;
      create index "millrace_test_branches_test_id_branch_id" on "millrace_test_branches" ("test_id", "branch", "id");
      create index "millrace_test_commits_test_id_commit_id" on "millrace_test_commits" ("test_id", "commit", "id");
      create index "millrace_tests_suite_id_identity_id" on "millrace_tests" ("suite_id", "identity", "id")`),
  );
  const others = [1, 2, 3].map(() => knexStorage({ client: 'sqlite', filename }));
  await Promise.all(others.map((storage) => storage.prepare()));
  t.deepEqual(await counterRows(), rowsBefore);
  t.deepEqual(await others[0]?.count('build.ofPipeline', { pipeline }, 'state'), { passed: 3 });
  await Promise.all([first, connections, ...others].map((one) => one.close()));
  await rm(directory, { recursive: true });
});

test('counters.in-a-transaction-of-the-host', async (t) => {
  const host = knex({
    client: 'sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  const before = knexStorage({ knex: host });
  await before.prepare();
  const transaction = await host.transaction();
  const inside = knexStorage({ knex: transaction });
  await expectCommit(inside, { insert: builds.map((build) => entityRow('build', build)) });
  t.deepEqual(await inside.count('build.ofPipeline', { pipeline }, 'state'), { passed: 3 });
  await inside.close();
  await transaction.rollback();
  t.deepEqual(await before.count('build.ofPipeline', { pipeline }, 'state'), {});
  await before.close();
  await host.destroy();
});
