import test from 'ava';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { Connections } from './connections.js';
import type { Statement } from './session.js';

let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

const countPrepared = {
  text: 'select count(*), count(distinct name) from pg_prepared_statements',
  once: true,
} as const;

test('session.statements-are-bounded', async (t) => {
  const connections = new Connections({ client: 'postgres', connection: database.url, pool: { max: 1 } });
  for (let number = 0; number < 700; number++) {
    const [row] = await connections.query({ text: `select $1::bigint + ${number}`, values: [number] });
    t.is(row?.[0], String(2 * number));
  }
  const [preparedCount] = await connections.query(countPrepared);
  t.true(Number(preparedCount?.[0]) <= 300 && Number(preparedCount?.[0]) > 100);
  await connections.close();
});

test('session.statements-that-were-forgotten', async (t) => {
  const connections = new Connections({ client: 'postgres', connection: database.url, pool: { max: 1 } });
  const statement = { text: 'select $1::text', values: ['a'] };
  t.deepEqual(await connections.query(statement), [['a']]);
  await connections.query({ text: 'deallocate all', unprepared: true });
  t.deepEqual(await connections.query(statement), [['a']]);

  await connections.query({ text: 'create table plans (one text)', unprepared: true });
  const all = { text: 'select * from plans' };
  t.deepEqual(await connections.query(all), []);
  await connections.query({ text: 'alter table plans add column two text', unprepared: true });
  t.deepEqual(await connections.query(all), []);
  await connections.close();
});

test('session.unprepared-leaves-no-state-on-the-connection', async (t) => {
  const connections = new Connections({
    client: 'postgres',
    connection: database.url,
    pool: { max: 1 },
    prepare: false,
  });
  await connections.pipelined([{ text: 'select $1::text', values: ['a'] }, { text: 'select 1' }]);
  t.is((await connections.query(countPrepared))[0]?.[0], '0');
  const sources = `select count(*) from pg_settings where source = 'session' and name <> 'client_encoding'`;
  t.is((await connections.query({ text: sources, unprepared: true }))[0]?.[0], '0');
  await connections.close();
});

test('session.an-error-spoils-nothing', async (t) => {
  const connections = new Connections({ client: 'postgres', connection: database.url, pool: { max: 1 } });
  const wrong = [{ text: 'select 1' }, { text: 'select 1 / $1::integer', values: [0] }, { text: 'select 2' }];
  for (const run of [
    () => connections.pipelined(wrong),
    () => connections.write(() => wrong),
    () => connections.query(wrong[1] as Statement),
  ]) {
    await t.throwsAsync(run, { message: 'division by zero' });
    t.deepEqual(await connections.query({ text: 'select 3' }), [['3']]);
  }
  await connections.close();
});
