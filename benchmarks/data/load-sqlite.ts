import sqlite3 from 'sqlite3';
import { physicalName } from '../../adapters/knex/identifiers.js';
import { knexStorage, recountStatements } from '../../adapters/knex/index.js';
import type { Progress } from '../progress.js';
import { standardPrefix as prefix } from './load-postgres.js';
import type { OrganizationFixture } from './organization.js';
import { rowBatches } from './row-batches.js';
import { type Size, totalBuilds } from './size.js';

/** A connection to a SQLite file, for loading and restoring the data. */
export interface SqliteFile {
  all<T = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

export async function openSqlite(filename: string): Promise<SqliteFile> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(filename, (error) => (error === null ? resolve(opened) : reject(error)));
  });
  const file: SqliteFile = {
    all: (sql, values = []) =>
      new Promise((resolve, reject) =>
        database.all(sql, values, (error, rows) => (error === null ? resolve(rows as never[]) : reject(error))),
      ),
    close: () =>
      new Promise((resolve, reject) => database.close((error) => (error === null ? resolve() : reject(error)))),
  };
  await file.all('pragma busy_timeout = 5000');
  return file;
}

/** Creates the schema of the storage in a new file and inserts the data. Indexes are created after the rows. */
export async function loadSqlite(
  filename: string,
  size: Size,
  fixture: OrganizationFixture,
  progress: Progress,
): Promise<void> {
  const storage = knexStorage({ client: 'sqlite', filename });
  await storage.prepare();
  await storage.close();
  const file = await openSqlite(filename);
  // Durability does not matter until the file is complete.
  await file.all('pragma synchronous = off');
  const rebuild = await dropIndexes(file);
  let done = 0;
  progress.begin('SQLite', totalBuilds(size));
  for (const { table, rows } of rowBatches(size, fixture)) {
    const names = Object.keys(rows[0] ?? {});
    const cells = names.map((name) => `value ->> '$.${name}'`);
    const into = `insert into "${physicalName(prefix, table)}" (${names.map((name) => `"${name}"`).join(', ')})`;
    await file.all(`${into} select ${cells.join(', ')} from json_each(?)`, [JSON.stringify(rows)]);
    if (table === 'builds') done += rows.length;
    progress.update(done);
  }
  progress.end();
  await rebuild();
  for (const statement of recountStatements('sqlite', prefix)) await file.all(statement);
  await file.all('analyze');
  await file.all('pragma wal_checkpoint(truncate)');
  await file.close();
}

/** Drops all indexes except those of primary keys. The returned function creates them again. */
export async function dropIndexes(file: SqliteFile): Promise<() => Promise<void>> {
  const indexes = await file.all<{ name: string; sql: string }>(
    `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name like '${prefix}%'`,
  );
  for (const { name } of indexes) await file.all(`drop index "${name}"`);
  return async () => {
    for (const { sql } of indexes) await file.all(sql);
  };
}
