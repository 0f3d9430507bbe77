import { physicalName, quoteIdentifier } from '../identifiers.js';
import { migrations } from '../migrations/index.js';
import { ddlStatement } from '../schema/ddl.js';
import type { Connections } from './connections.js';
import { postgresSchemaDialect } from './dialect.js';
import { raisedIndex, storageUnavailable } from './errors.js';
import { outboxDdl } from './outbox.js';
import type { Statement } from './session.js';

/**
 * Brings the schema up to date. Each process asks first; of those that find something to do, one does it and the others
 * wait for it and find it done.
 */
export async function migrate(connections: Connections, prefix: string): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  for (let attempt = 1; ; attempt++) {
    const current = await versionOf(connections, prefix);
    if (current === newest) return;
    if (current > newest) {
      throw storageUnavailable(
        connections.location,
        `its schema has version ${current}, and this release knows no more than ${newest}`,
      );
    }
    try {
      await connections.write(() => stepsFrom(current, prefix));
    } catch (error) {
      // Another process was faster, by an advisory lock, or by the key of the table where there are none.
      const lostRace =
        raisedIndex(error) !== undefined || ['23505', '42P07'].includes((error as { code?: string }).code ?? '');
      if (!lostRace || attempt > 5) throw error;
    }
  }
}

/** The version of the newest migration that was carried out; 0 in a database that is new. */
async function versionOf(connections: Connections, prefix: string): Promise<number> {
  const table = physicalName(prefix, 'migrations');
  const unprepared = true as const;
  const [found] = await connections.query({ text: 'select to_regclass($1)::text', values: [table], unprepared });
  if (found?.[0] === null) return 0;
  const [version] = await connections.query({
    text: `select max("version") from ${quoteIdentifier(table)}`,
    unprepared,
  });
  return Number(version?.[0] ?? 0);
}

function stepsFrom(current: number, prefix: string): Statement[] {
  const table = quoteIdentifier(physicalName(prefix, 'migrations'));
  const unprepared = true as const;
  const missing = migrations.filter(({ version }) => version > current);
  return [
    // The work of a migration, and of one that goes on in another process, takes as long as it takes.
    { text: 'set local statement_timeout = 0', unprepared },
    { text: `select pg_advisory_xact_lock(hashtext($1))`, values: [table], unprepared },
    { text: `create table if not exists ${table} ("version" bigint primary key, "name" text not null)`, unprepared },
    {
      text: `select cast('millrace ' || "version"::text as integer) from ${table} where "version" > $1`,
      values: [current],
      unprepared,
    },
    ...missing.flatMap(({ version, name, steps }): Statement[] => [
      ...steps.flatMap((step) => [
        // What is counted must not change before the count is committed.
        ...('counter' in step
          ? [
              {
                text: `lock table ${quoteIdentifier(physicalName(prefix, step.as.on))} in share mode`,
                unprepared,
              },
            ]
          : []),
        { text: ddlStatement(step, prefix, postgresSchemaDialect), unprepared },
      ]),
      ...(version === 1 ? outboxDdl(prefix).map((text) => ({ text, unprepared })) : []),
      { text: `insert into ${table} ("version", "name") values ($1, $2)`, values: [version, name], unprepared },
    ]),
  ];
}
