import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import knex from 'knex';
import { freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';
import { releasedPostgresColumns, releasedPostgresIndexes, releasedSqlite } from './_released-schema.test.js';

/**
 * The migrations create exactly the recorded schema (`_released-schema.test.ts`), so that building them in another way cannot change
 * databases unnoticed. A new migration adds its tables, columns and indexes to the record; nothing that is released there changes.
 */

const released = [
  { version: 1, name: 'initial' },
  { version: 2, name: 'tallies' },
];

test('released-schema.sqlite', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const filename = join(directory, 'a.db');
  const storage = knexStorage({ client: 'sqlite', filename });
  await storage.prepare();
  await storage.close();
  const database = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  const statements = await database('sqlite_master').whereNotNull('sql').orderBy('name').pluck('sql');
  t.deepEqual(statements, [...releasedSqlite]);
  t.deepEqual(await database('millrace_migrations').orderBy('version').limit(released.length), released);
  await database.destroy();
  await rm(directory, { recursive: true });
});

test('released-schema.postgres', async (t) => {
  const database = await freshDatabase();
  const storage = knexStorage({ client: 'postgres', connection: database.url });
  await storage.prepare();
  await storage.close();
  const linesOf = async (text: string) => (await database.query(text)).map(({ line }) => line);
  t.deepEqual(await linesOf(columnsSql), [...releasedPostgresColumns]);
  t.deepEqual(await linesOf(indexesSql), [...releasedPostgresIndexes]);
  const rows = await database.query('select "version"::int, "name" from millrace_migrations order by "version"');
  t.deepEqual(rows, released);
  await database.drop();
});

const columnsSql = `select c.relname || ': ' || string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
  || case when co.collname is null or co.collname = 'default' then '' else ' collate ' || co.collname end
  || case when a.attnotnull then ' not null' else '' end
  || case a.attidentity when 'a' then ' identity' else '' end, ', ' order by a.attnum) as line
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
left join pg_collation co on co.oid = a.attcollation
where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
group by c.relname order by c.relname collate "C"`;

const indexesSql = `select indexdef as line from pg_indexes where schemaname = current_schema()
order by indexname collate "C"`;
