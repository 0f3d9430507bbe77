import { createMigrationsTable, migrationsTable, readVersion, recordMigration } from '../migrations/bookkeeping.js';
import { migrations } from '../migrations/index.js';
import { ddlStatements } from '../schema/ddl.js';
import type { Connections } from './connections.js';
import { sqliteSchemaDialect } from './dialect.js';
import { storageUnavailable } from './errors.js';
import type { Session } from './session.js';

/**
 * Brings the schema up to date. Each process reads the version first, and again when it has the write lock, so any number
 * of them may start at the same time.
 */
export async function migrate(connections: Connections, prefix: string): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  if (connections.owned && connections.inFile) {
    // Once set it stays with the file. Readers then see the last commit while a writer is at work.
    await connections.withoutTransaction((session) => session.exec('pragma journal_mode = wal'));
  }
  const before = await connections.withoutTransaction((session) => versionOf(session, prefix));
  if (before < newest) {
    await connections.transaction(async (session) => {
      const current = await versionOf(session, prefix);
      const missing = migrations.filter(({ version }) => version > current);
      const statements = [
        ...(current === 0 ? createMigrationsTable(prefix, sqliteSchemaDialect) : []),
        ...missing.flatMap((migration) => [
          ...migration.steps.flatMap((step) => ddlStatements(step, prefix, sqliteSchemaDialect)),
          recordMigration(migration, prefix, sqliteSchemaDialect),
        ]),
      ];
      for (const statement of statements) await session.exec(statement);
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
  const table = migrationsTable(prefix);
  const [found] = await session.all(`select 1 from sqlite_master where type = 'table' and name = ?`, [table]);
  if (found === undefined) return 0;
  const [row] = await session.all<{ version: number | null }>(readVersion(prefix, sqliteSchemaDialect));
  return row?.version ?? 0;
}
