import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { knexStorage, recountStatements } from '../../adapters/knex/index.js';
import type { Storage } from '../../core/index.js';
import type { BenchmarkContext } from '../benchmark-context.js';
import { growthStatements, postgresDialect, sqliteDialect } from '../data/growth-statements.js';
import { dropIndexes, withClient } from '../data/load-postgres.js';
import { openSqlite, dropIndexes as withoutSqliteIndexes } from '../data/load-sqlite.js';
import { loadStorage } from '../data/load-storage.js';
import { organizationFixture } from '../data/organization.js';
import { type Size, sizes } from '../data/size.js';
import type { Curve, Figure, Parts } from '../report/result.js';
import { freshDatabase } from '../servers/database.js';
import type { PostgresServer } from '../servers/postgres.js';
import { runInChildProcess } from '../workers/child-process.js';
import { countPlans } from './plans.js';

/** The organization of the growing pipeline. */
const organizationSize: Size = { ...sizes.tiny, pipelines: [0], cancelable: 0, users: 50, agents: 8 };

/** The time of single requests, sent one after the other, while a pipeline grows to a million builds. */
export async function measureGrowth(
  bench: BenchmarkContext,
  server: PostgresServer,
): Promise<NonNullable<Parts['growth']>> {
  const counts = bench.size.name === 'full' ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
  const curves = new Map<string, Curve>();
  const plans: Figure[] = [];
  const add = (database: string, count: number, millisecondsByRequest: Readonly<Record<string, number>>) => {
    for (const [what, milliseconds] of Object.entries(millisecondsByRequest)) {
      const before = curves.get(database + what)?.points ?? [];
      curves.set(database + what, { database, what, points: [...before, [count, milliseconds]] });
    }
  };
  for (const count of counts) {
    bench.progress.log(`PostgreSQL, ${count} builds in one pipeline`);
    const database = await createGrownPostgres(server, count);
    add('PostgreSQL', count, await measureRequests({ postgres: database.url }, count));
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
    for (const one of others) bench.progress.log(`Statement without an index scan: ${one}`);
    await database.drop();
  }
  for (const count of counts) {
    bench.progress.log(`SQLite, ${count} builds in one pipeline`);
    const file = join(bench.directory, `growth-${count}.db`);
    await createGrownSqlite(file, count);
    add('SQLite', count, await measureRequests({ sqlite: file }, count));
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
  return { curves: [...curves.values()], plans };
}

const measureRequests = (peerOptions: object, count: number): Promise<Record<string, number>> =>
  runInChildProcess('growth', { place: peerOptions, count, agents: organizationSize.agents });

async function loadOrganization(storage: Storage): Promise<void> {
  await storage.prepare();
  await loadStorage(storage, organizationSize, organizationFixture(organizationSize));
  await storage.close();
}

async function createGrownPostgres(server: PostgresServer, count: number) {
  const database = await freshDatabase(server.url, 'growth');
  await loadOrganization(knexStorage({ client: 'postgres', connection: database.url }));
  await withClient(database.url, async (client) => {
    const rebuild = await dropIndexes(client);
    await client.query('delete from millrace_sequences');
    for (const statement of growthStatements(
      count,
      organizationFixture(organizationSize),
      'millrace_',
      postgresDialect,
    ))
      await client.query(statement);
    await rebuild();
    for (const statement of recountStatements('postgres')) await client.query(statement);
    await client.query('vacuum (analyze)');
  });
  return database;
}

async function createGrownSqlite(filename: string, count: number): Promise<void> {
  await loadOrganization(knexStorage({ client: 'sqlite', filename }));
  const file = await openSqlite(filename);
  await file.all('pragma synchronous = off');
  const rebuild = await withoutSqliteIndexes(file);
  await file.all('delete from millrace_sequences');
  for (const statement of growthStatements(count, organizationFixture(organizationSize), 'millrace_', sqliteDialect))
    await file.all(statement);
  await rebuild();
  for (const statement of recountStatements('sqlite')) await file.all(statement);
  await file.all('analyze');
  await file.all('pragma wal_checkpoint(truncate)');
  await file.close();
}
