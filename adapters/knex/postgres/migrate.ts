import { migrations } from '../migrations/index.js';
import { physical, quoted } from '../names.js';
import { statementOf } from '../schema/ddl.js';
import type { Connections } from './connections.js';
import { postgresSpelling } from './dialect.js';
import { raisedBy, unusable } from './errors.js';
import { outboxSteps } from './events.js';
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
      throw unusable(
        connections.place,
        `its schema has version ${current}, and this release knows no more than ${newest}`,
      );
    }
    try {
      await connections.writing(() => stepsFrom(current, prefix));
    } catch (error) {
      // Another process was faster, by an advisory lock, or by the key of the table where there are none.
      const late =
        raisedBy(error) !== undefined || ['23505', '42P07'].includes((error as { code?: string }).code ?? '');
      if (!late || attempt > 5) throw error;
    }
  }
}

/** The version of the newest migration that was carried out; 0 in a database that is new. */
async function versionOf(connections: Connections, prefix: string): Promise<number> {
  const table = physical(prefix, 'migrations');
  const once = true as const;
  const [found] = await connections.query({ text: 'select to_regclass($1)::text', values: [table], once });
  if (found?.[0] === null) return 0;
  const [version] = await connections.query({ text: `select max("version") from ${quoted(table)}`, once });
  return Number(version?.[0] ?? 0);
}

function stepsFrom(current: number, prefix: string): Statement[] {
  const table = quoted(physical(prefix, 'migrations'));
  const once = true as const;
  const missing = migrations.filter(({ version }) => version > current);
  return [
    // The work of a migration, and of one that goes on in another process, takes as long as it takes.
    { text: 'set local statement_timeout = 0', once },
    { text: `select pg_advisory_xact_lock(hashtext($1))`, values: [table], once },
    { text: `create table if not exists ${table} ("version" bigint primary key, "name" text not null)`, once },
    {
      text: `select cast('millrace ' || "version"::text as integer) from ${table} where "version" > $1`,
      values: [current],
      once,
    },
    ...missing.flatMap(({ version, name, steps }): Statement[] => [
      ...steps.flatMap((step) => [
        // What is counted must not change before the count is committed.
        ...('tally' in step
          ? [{ text: `lock table ${quoted(physical(prefix, step.as.on))} in share mode`, once }]
          : []),
        { text: statementOf(step, prefix, postgresSpelling), once },
      ]),
      ...(version === 1 ? outboxSteps(prefix).map((text) => ({ text, once })) : []),
      { text: `insert into ${table} ("version", "name") values ($1, $2)`, values: [version, name], once },
    ]),
  ];
}
