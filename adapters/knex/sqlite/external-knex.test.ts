import test from 'ava';
import knex from 'knex';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, row } from '../../../conformance/storage/batch.js';
import { knexStorage } from '../index.js';

const host = () =>
  knex({ client: 'sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true, pool: { min: 1, max: 1 } });
const organization = idOf(77);
const cluster = row('cluster', 1, { organization_id: organization, name: 'a' });
const all = { offset: 0, limit: 10 };

test('external-knex.shares-a-database-with-tables-of-the-host', async (t) => {
  const database = host();
  await database.schema.createTable('builds', (table) => table.string('of_the_host'));
  const storage = knexStorage({ knex: database, tablePrefix: 'ci_' });
  await storage.prepare();
  await expectCommit(storage, { insert: [entityRow('cluster', cluster)] });
  t.is((await storage.find('cluster.inOrganization', { organization }, all)).stamps.length, 1);
  await storage.close();
  t.deepEqual(await database('ci_clusters').select('name'), [{ name: 'a' }], 'the instance of the host stays open');
  await database.destroy();
});

test('external-knex.open-transaction', async (t) => {
  const database = host();
  const before = knexStorage({ knex: database });
  await before.prepare();
  const transaction = await database.transaction();
  const inside = knexStorage({ knex: transaction });
  await expectCommit(inside, { insert: [entityRow('cluster', cluster)] });
  const refused = await inside.commit(batchOf({ insert: [entityRow('cluster', { ...cluster, id: idOf(2) })] }));
  t.deepEqual(refused, { duplicate: { entity: 'cluster', key: 'name' } });
  t.is((await inside.find('cluster.inOrganization', { organization }, all)).stamps.length, 1);
  await inside.close();
  await transaction.rollback();
  t.is((await before.find('cluster.inOrganization', { organization }, all)).stamps.length, 0);
  await before.close();
  await database.destroy();
});
