import { once } from 'node:events';
import { createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import knex from 'knex';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';
import { migrations } from '../migrations/index.js';

let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

const changedUrl = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

const assertPrepareFails = async (t: ExecutionContext, connection: string, reason: RegExp) => {
  const storage = knexStorage({ client: 'postgres', connection });
  const error = await t.throwsAsync(() => storage.prepare(), { instanceOf: StorageUnavailable });
  t.regex(error?.message ?? '', reason);
  t.false(/\n|secret/.test(error?.message ?? ''));
  await storage.close();
};

test('opening.wrong-password', (t) =>
  assertPrepareFails(
    t,
    changedUrl((url) => {
      url.password = 'secret';
    }),
    /the password is wrong$/,
  ));

test('opening.no-password', (t) =>
  assertPrepareFails(
    t,
    changedUrl((url) => {
      url.password = '';
    }),
    /a password is needed$/,
  ));

test('opening.no-such-database', (t) =>
  assertPrepareFails(
    t,
    changedUrl((url) => {
      url.pathname = '/absent';
    }),
    /\/absent: there is no such database$/,
  ));

test('opening.connection-refused', (t) =>
  assertPrepareFails(
    t,
    'postgres://a:secret@127.0.0.1:9/b',
    /^Cannot use the PostgreSQL database 127\.0\.0\.1:9\/b: the server does not accept/,
  ));

test('opening.server-does-not-respond', async (t) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const storage = knexStorage({
    client: 'postgres',
    connection: { host: '127.0.0.1', port: port ?? 0, database: 'b', connectionTimeoutMillis: 300 },
  });
  const begun = performance.now();
  await t.throwsAsync(() => storage.prepare(), { instanceOf: StorageUnavailable, message: /did not answer in time/ });
  t.true(performance.now() - begun < 2_000);
  await storage.close();
  silent.close();
});

test('opening.not-prepared', async (t) => {
  const storage = knexStorage({ client: 'postgres', connection: database.url, tablePrefix: 'absent_' });
  await t.throwsAsync(() => storage.next('a'), { instanceOf: StorageUnavailable, message: /`prepare` makes them/ });
  await storage.close();
});

test('opening.newer-schema', async (t) => {
  const options = { client: 'postgres', connection: database.url, tablePrefix: 'newer_' } as const;
  const storage = knexStorage(options);
  await storage.prepare();
  const newer = migrations.length + 1;
  await database.query(`insert into newer_migrations values (${newer}, 'newer')`);
  const error = await t.throwsAsync(() => storage.prepare(), { instanceOf: StorageUnavailable });
  t.true(error?.message.endsWith(`its schema has version ${newer}, and this release knows no more than ${newer - 1}`));
  await storage.close();
});

test('opening.missing-privilege', async (t) => {
  const role = `weak_${process.pid}`;
  await database.query(`create role ${role} login password 'millrace'`);
  await database.query('revoke create on schema public from public');
  await assertPrepareFails(
    t,
    changedUrl((url) => {
      url.username = role;
      url.password = 'millrace';
    }),
    /a privilege is missing \(permission denied for schema public\)$/,
  );
  await database.query(`drop role ${role}`);
});

test('opening.another-client', async (t) => {
  const host = knex({ client: 'mysql2' });
  t.throws(() => knexStorage({ knex: host }), { instanceOf: TypeError, message: /sqlite3 or pg/ });
});

test('opening.what-is-no-id-finds-nothing', async (t) => {
  const storage = knexStorage({ client: 'postgres', connection: database.url, tablePrefix: 'ids_' });
  await storage.prepare();
  t.deepEqual(await storage.load('user.byEmail', ['nobody', idOf(1).toUpperCase()]), []);
  const window = { offset: 0, limit: 1 };
  t.deepEqual((await storage.find('queue.inCluster', { cluster: 'none' }, window)).stamps, []);
  t.deepEqual((await storage.find('build.ofOrganizations', { organizations: ['a', 'b'] }, window)).stamps, []);
  t.deepEqual((await storage.find('build.byNumber', { pipeline: idOf(1), number: 1e300 }, window)).stamps, []);
  const conflict = { entity: 'cluster', id: 'none' } as const;
  const batch = { expect: [], insert: [], replace: [], touch: [conflict], remove: [], events: [] };
  t.deepEqual(await storage.commit(batch), { conflict });
  await storage.close();
});
