import { physicalName } from '../identifiers.js';
import { createMigrationsTable, migrationsTable, readVersion, recordMigration } from '../migrations/bookkeeping.js';
import { migrations } from '../migrations/index.js';
import type { MigrationStep } from '../migrations/migration.js';
import { ddlStatements } from '../schema/ddl.js';
import type { Connections } from './connections.js';
import { postgresSchemaDialect } from './dialect.js';
import { codeOf, storageUnavailable } from './errors.js';
import { outboxDdl } from './outbox.js';
import type { Session } from './session.js';

/**
 * Brings the schema up to date. Each process reads the version first; of those that find something to do, one does it, and
 * the others wait for it and find it done.
 */
export async function migrate(connections: Connections, prefix: string): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  for (let attempt = 1; ; attempt++) {
    const current = await connections.exclusive((session) => versionOf(session, prefix));
    if (current === newest) return;
    if (current > newest) {
      throw storageUnavailable(
        connections.location,
        `its schema has version ${current}, and this release knows no more than ${newest}`,
      );
    }
    try {
      await connections.transaction((session) => applyMissing(session, prefix));
    } catch (error) {
      // Engines without advisory locks: another process has made a table or recorded a version in the meantime.
      if (!['23505', '42P07'].includes(codeOf(error) ?? '') || attempt > 5) throw error;
    }
  }
}

async function applyMissing(session: Session, prefix: string): Promise<void> {
  // A migration, and the wait for one that another process carries out, takes as long as it takes.
  await execute(session, ['set local statement_timeout = 0']);
  const values = [`"${migrationsTable(prefix)}"`];
  await session.query({ text: 'select pg_advisory_xact_lock(hashtext($1))', values, unprepared: true });
  const current = await versionOf(session, prefix);
  if (current === 0 && !(await tableExists(session, prefix))) {
    await execute(session, createMigrationsTable(prefix, postgresSchemaDialect));
  }
  for (const migration of migrations.filter(({ version }) => version > current)) {
    await execute(session, [
      ...migration.steps.flatMap((step) => stepStatements(step, prefix)),
      ...(migration.version === 1 ? outboxDdl(prefix) : []),
      recordMigration(migration, prefix, postgresSchemaDialect),
    ]);
  }
}

/** What is counted must not change before the count is committed. */
const stepStatements = (step: MigrationStep, prefix: string): string[] => [
  ...('counter' in step ? [`lock table "${physicalName(prefix, step.as.on)}" in share mode`] : []),
  ...ddlStatements(step, prefix, postgresSchemaDialect),
];

const execute = (session: Session, statements: readonly string[]) =>
  session.pipelined(statements.map((text) => ({ text, unprepared: true })));

/** The version of the newest migration that was carried out; 0 in a database that is new. */
async function versionOf(session: Session, prefix: string): Promise<number> {
  if (!(await tableExists(session, prefix))) return 0;
  const [row] = await session.query({ text: readVersion(prefix, postgresSchemaDialect), unprepared: true });
  return Number(row?.[0] ?? 0);
}

async function tableExists(session: Session, prefix: string): Promise<boolean> {
  const values = [migrationsTable(prefix)];
  const [row] = await session.query({ text: 'select to_regclass($1)::text', values, unprepared: true });
  return (row?.[0] ?? null) !== null;
}
