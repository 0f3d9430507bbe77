import { physicalName, quoteIdentifier } from '../identifiers.js';
import { migrations } from '../migrations/index.js';
import { ddlStatement } from '../schema/ddl.js';
import type { Connections } from './connections.js';
import { sqliteSchemaDialect } from './dialect.js';
import { storageUnavailable } from './errors.js';
import type { Session } from './session.js';

/**
 * Brings the schema up to date. Each process asks first, and asks again when it has the write lock, so any number of them
 * may start at once.
 */
export async function migrate(connections: Connections, prefix: string): Promise<void> {
  const table = quoteIdentifier(physicalName(prefix, 'migrations'));
  const newest = migrations.at(-1)?.version ?? 0;
  if (connections.owned && connections.inFile) {
    // Once set it stays with the file. Readers then see the last commit while a writer is at work.
    await connections.withoutTransaction((session) => session.exec('pragma journal_mode = wal'));
  }
  const before = await connections.withoutTransaction((session) => versionOf(session, prefix));
  if (before < newest) {
    await connections.transaction(async (session) => {
      await session.run(`create table if not exists ${table} ("version" integer primary key, "name" text not null)`);
      const current = await versionOf(session, prefix);
      for (const { version, name, steps } of migrations.filter((migration) => migration.version > current)) {
        for (const step of steps) await session.exec(ddlStatement(step, prefix, sqliteSchemaDialect));
        await session.run(`insert into ${table} ("version", "name") values (?, ?)`, [version, name]);
      }
    });
  }
  const after = await connections.withoutTransaction((session) => versionOf(session, prefix));
  if (after > newest) {
    throw storageUnavailable(
      connections.location,
      `its schema has version ${after}, and this release knows no more than ${newest}`,
    );
  }
}

/** The version of the newest migration that was carried out; 0 in a database that is new. */
async function versionOf(session: Session, prefix: string): Promise<number> {
  const table = physicalName(prefix, 'migrations');
  const [found] = await session.all(`select 1 from sqlite_master where type = 'table' and name = ?`, [table]);
  if (found === undefined) return 0;
  const [row] = await session.all<{ version: number | null }>(
    `select max("version") as "version" from ${quoteIdentifier(table)}`,
  );
  return row?.version ?? 0;
}
