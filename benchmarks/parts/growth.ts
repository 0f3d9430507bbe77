import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { knexStorage, recountStatements } from '../../adapters/knex/index.js';
import type { Storage } from '../../core/index.js';
import type { Bench } from '../bench.js';
import { growing, postgresSpelling, sqliteSpelling } from '../data/growth.js';
import { withClient, withoutIndexes } from '../data/load-postgres.js';
import { openSqlite, withoutIndexes as withoutSqliteIndexes } from '../data/load-sqlite.js';
import { commitAll } from '../data/memory.js';
import { organizationOf } from '../data/organization.js';
import { type Size, sizes } from '../data/size.js';
import type { Curve, Figure, Parts } from '../report/result.js';
import { freshDatabase } from '../servers/database.js';
import type { PostgresServer } from '../servers/postgres.js';
import { inProcessOfItsOwn } from '../workers/run.js';
import { countPlans } from './plans.js';

/** The organization that the one growing pipeline belongs to. */
const around: Size = { ...sizes.tiny, pipelines: [0], cancelable: 0, users: 50, agents: 8 };

/** What one question costs while a pipeline grows to a million builds; the same process asks one after the other. */
export async function measureGrowth(bench: Bench, server: PostgresServer): Promise<NonNullable<Parts['growth']>> {
  const counts = bench.size.name === 'full' ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
  const curves = new Map<string, Curve>();
  const plans: Figure[] = [];
  const add = (database: string, count: number, took: Readonly<Record<string, number>>) => {
    for (const [what, milliseconds] of Object.entries(took)) {
      const before = curves.get(database + what)?.points ?? [];
      curves.set(database + what, { database, what, points: [...before, [count, milliseconds]] });
    }
  };
  for (const count of counts) {
    bench.progress.say(`PostgreSQL, ${count} builds in one pipeline`);
    const database = await grownPostgres(server, count);
    add('PostgreSQL', count, await asked({ postgres: database.url }, count));
    const { walked, others } = await countPlans(database.url);
    plans.push({
      name: `PostgreSQL, ${count} builds: statements that walk an index`,
      value: walked,
      unit: 'statements',
    });
    plans.push({
      name: `PostgreSQL, ${count} builds: statements that do not`,
      value: others.length,
      unit: 'statements',
    });
    for (const one of others) bench.progress.say(`walks no index: ${one}`);
    await database.drop();
  }
  for (const count of counts) {
    bench.progress.say(`SQLite, ${count} builds in one pipeline`);
    const file = join(bench.directory, `growth-${count}.db`);
    await grownSqlite(file, count);
    add('SQLite', count, await asked({ sqlite: file }, count));
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
  return { curves: [...curves.values()], plans };
}

const asked = (place: object, count: number): Promise<Record<string, number>> =>
  inProcessOfItsOwn('growth', { place, count, agents: around.agents });

async function surrounded(storage: Storage): Promise<void> {
  await storage.prepare();
  await commitAll(storage, around, organizationOf(around));
  await storage.close();
}

async function grownPostgres(server: PostgresServer, count: number) {
  const database = await freshDatabase(server.url, 'growth');
  await surrounded(knexStorage({ client: 'postgres', connection: database.url }));
  await withClient(database.url, async (client) => {
    const rebuild = await withoutIndexes(client);
    await client.query('delete from millrace_sequences');
    for (const statement of growing(count, organizationOf(around), 'millrace_', postgresSpelling))
      await client.query(statement);
    await rebuild();
    for (const statement of recountStatements('postgres')) await client.query(statement);
    await client.query('vacuum (analyze)');
  });
  return database;
}

async function grownSqlite(filename: string, count: number): Promise<void> {
  await surrounded(knexStorage({ client: 'sqlite', filename }));
  const file = await openSqlite(filename);
  await file.all('pragma synchronous = off');
  const rebuild = await withoutSqliteIndexes(file);
  await file.all('delete from millrace_sequences');
  for (const statement of growing(count, organizationOf(around), 'millrace_', sqliteSpelling))
    await file.all(statement);
  await rebuild();
  for (const statement of recountStatements('sqlite')) await file.all(statement);
  await file.all('analyze');
  await file.all('pragma wal_checkpoint(truncate)');
  await file.close();
}
