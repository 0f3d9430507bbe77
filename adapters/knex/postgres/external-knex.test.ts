import test from 'ava';
import knex, { type Knex } from 'knex';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from '../../../conformance/storage/batch.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';

const organization = idOf(77);
const cluster = row('cluster', 1, { organization_id: organization, name: 'a', created_at: '2026-01-31T09:30:00.120Z' });
const all = { offset: 0, limit: 10 };
const event = { type: 'made', organization_id: organization, at: '2026-01-31T09:30:00.000Z', data: { z: 1, a: 2 } };

let database: Database;
let host: Knex;

test.before(async () => {
  database = await freshDatabase();
  // What hosts do: another time zone, and parsers of their own for the types of the driver.
  host = knex({
    client: 'pg',
    connection: { connectionString: database.url, options: '-c timezone=Asia/Kathmandu' },
    pool: { min: 0, max: 3 },
  });
});
test.after.always(async () => {
  await host?.destroy();
  await database?.drop();
});

test('external-knex.shares-a-database-with-tables-of-the-host', async (t) => {
  await host.schema.createTable('builds', (table) => table.string('of_the_host'));
  const storage = knexStorage({ knex: host, tablePrefix: 'ci_' });
  await storage.prepare();
  await expectCommit(storage, { insert: [entityRow('cluster', cluster)], events: [event] });
  const [loaded] = await storage.load('cluster.inOrganization', [cluster.id]);
  t.is(loaded?.created_at, '2026-01-31T09:30:00.120Z');
  t.deepEqual((await storage.events(0, 1))[0]?.data, event.data);
  const [one, two] = [storage, storage].map((racing) =>
    racing.commit(batchOf({ replace: [entityRow('cluster', nextVersion(cluster, { name: 'b' }))] })),
  );
  const outcomes = [await one, await two];
  t.is(outcomes.filter((outcome) => outcome !== undefined && 'done' in outcome).length, 1);
  await storage.close();
  t.deepEqual(await host('ci_clusters').select('name'), [{ name: 'b' }], 'the instance of the host stays open');
});

test('external-knex.open-transaction', async (t) => {
  const before = knexStorage({ knex: host });
  await before.prepare();
  const transaction = await host.transaction();
  const inside = knexStorage({ knex: transaction });
  await expectCommit(inside, { insert: [entityRow('cluster', cluster)], events: [event] });
  const refused = await Promise.all([
    inside.commit(batchOf({ insert: [entityRow('cluster', { ...cluster, id: idOf(2) })] })),
    inside.commit(batchOf({ touch: [{ entity: 'cluster', id: idOf(3) }] })),
    inside.find('cluster.inOrganization', { organization }, all),
    inside.load('cluster.inOrganization', [cluster.id]),
  ]);
  t.deepEqual(refused.slice(0, 2), [
    { duplicate: { entity: 'cluster', key: 'name' } },
    { conflict: { entity: 'cluster', id: idOf(3) } },
  ]);
  t.is(refused[2].stamps.length, 1);
  t.is(refused[3].length, 1);

  // Others are not held up by the events that are stored but not committed.
  await expectCommit(before, { events: [event] });
  t.is((await before.events(0, 10)).length, 1);
  t.is((await before.find('cluster.inOrganization', { organization }, all)).stamps.length, 0);
  await inside.close();
  await transaction.rollback();
  t.is((await before.find('cluster.inOrganization', { organization }, all)).stamps.length, 0);
  await before.close();
});
