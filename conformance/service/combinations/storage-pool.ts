import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { knexStorage } from '../../../adapters/knex/index.js';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { freshDatabase } from '../../../test/support/postgres/database.js';
import { createStoragePool, type StoragePool } from './pooled-storage.js';

export const memoryStoragePool = async (): Promise<StoragePool> => ({
  storage: async () => memoryStorage(),
  close: async () => {},
});

/** Real files, in a directory of their own that is gone afterwards. */
export async function sqliteStoragePool(): Promise<StoragePool> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const files: sqlite3.Database[] = [];
  const storagePool = createStoragePool(async (number) => {
    const filename = join(directory, `${number}.db`);
    const storage = knexStorage({ client: 'sqlite', filename });
    await storage.prepare();
    const file = new sqlite3.Database(filename);
    await once(file, 'open');
    file.configure('busyTimeout', 5_000);
    files.push(file);
    const run = (sql: string) =>
      new Promise<void>((resolve, reject) => file.exec(sql, (error) => (error ? reject(error) : resolve())));
    const names = await new Promise<string[]>((resolve, reject) =>
      file.all<{ name: string }>("select name from sqlite_master where type = 'table'", (error, rows) =>
        error ? reject(error) : resolve(rows.map(({ name }) => name)),
      ),
    );
    const sql = `begin immediate; ${deleteStatements(names)}; commit`;
    return { storage, clear: () => run(sql) };
  });
  return {
    ...storagePool,
    async close() {
      await Promise.all(files.map((file) => new Promise((resolve) => file.close(resolve))));
      await storagePool.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Tables in a database of their own, on the server of `DATABASE_URL` or on one that all tests share. */
export async function postgresStoragePool(): Promise<StoragePool> {
  const database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const storagePool = createStoragePool(async (number) => {
    const tablePrefix = `t${number}_`;
    const storage = knexStorage({ client: 'postgres', connection: database.url, tablePrefix, pool: { max: 4 } });
    await storage.prepare();
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and starts_with(tablename, $1)`,
      [tablePrefix],
    );
    const sql = deleteStatements(rows.map(({ name }) => name));
    return { storage, clear: async () => void (await client.query(sql)) };
  });
  return {
    ...storagePool,
    async close() {
      await storagePool.close();
      await client.end();
      await database.drop();
    },
  };
}

/** Tables that say how far a database has come: its schema, its events, what SQLite counts by itself. */
const preservedTables = /(_migrations|_event_numbers|^sqlite_.*)$/;

/** Row by row, which is quick while there are few of them. */
const deleteStatements = (tables: readonly string[]): string =>
  tables
    .filter((name) => !preservedTables.test(name))
    .map((name) => `delete from "${name}"`)
    .join('; ');
