import test from 'ava';
import { Connections } from './connections.js';
import type { Statement } from './session.js';
import { type Database, freshDatabase } from './testing/_database.test.js';

let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

const prepared = { text: 'select count(*), count(distinct name) from pg_prepared_statements', once: true } as const;

test('session.statements-are-bounded', async (t) => {
  const connections = new Connections({ client: 'postgres', connection: database.url, pool: { max: 1 } });
  for (let number = 0; number < 700; number++) {
    const [row] = await connections.query({ text: `select $1::bigint + ${number}`, values: [number] });
    t.is(row?.[0], String(2 * number));
  }
  const [counted] = await connections.query(prepared);
  t.true(Number(counted?.[0]) <= 300 && Number(counted?.[0]) > 100);
  await connections.close();
});

test('session.statements-that-were-forgotten', async (t) => {
  const connections = new Connections({ client: 'postgres', connection: database.url, pool: { max: 1 } });
  const asked = { text: 'select $1::text', values: ['a'] };
  t.deepEqual(await connections.query(asked), [['a']]);
  await connections.query({ text: 'deallocate all', once: true });
  t.deepEqual(await connections.query(asked), [['a']]);

  await connections.query({ text: 'create table plans (one text)', once: true });
  const all = { text: 'select * from plans' };
  t.deepEqual(await connections.query(all), []);
  await connections.query({ text: 'alter table plans add column two text', once: true });
  t.deepEqual(await connections.query(all), []);
  await connections.close();
});

test('session.nothing-is-kept-without-preparing', async (t) => {
  const connections = new Connections({
    client: 'postgres',
    connection: database.url,
    pool: { max: 1 },
    prepare: false,
  });
  await connections.flight([{ text: 'select $1::text', values: ['a'] }, { text: 'select 1' }]);
  t.is((await connections.query(prepared))[0]?.[0], '0');
  const sources = `select count(*) from pg_settings where source = 'session' and name <> 'client_encoding'`;
  t.is((await connections.query({ text: sources, once: true }))[0]?.[0], '0');
  await connections.close();
});

test('session.an-error-spoils-nothing', async (t) => {
  const connections = new Connections({ client: 'postgres', connection: database.url, pool: { max: 1 } });
  const wrong = [{ text: 'select 1' }, { text: 'select 1 / $1::integer', values: [0] }, { text: 'select 2' }];
  for (const run of [
    () => connections.flight(wrong),
    () => connections.writing(() => wrong),
    () => connections.query(wrong[1] as Statement),
  ]) {
    await t.throwsAsync(run, { message: 'division by zero' });
    t.deepEqual(await connections.query({ text: 'select 3' }), [['3']]);
  }
  await connections.close();
});
