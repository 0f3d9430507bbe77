import type { BenchmarkContext } from '../benchmark-context.js';
import { watchMachine } from '../report/machine.js';
import type { Parts, Result } from '../report/result.js';
import { type PostgresServer, startPostgres } from '../servers/postgres.js';
import { measureAccept } from './accept.js';
import { measureCold } from './cold.js';
import { measureConformance } from './conformance.js';
import { createPostgresDataSet, createSqliteDataSet, type DataSet } from './data-set.js';
import { measureEndpoints } from './endpoints.js';
import { measureFakes } from './fake-servers.js';
import { measureFixtures } from './fixtures.js';
import { measureGrowth } from './growth.js';
import { measureInProcess } from './in-process.js';
import { measureMemory } from './memory.js';
import { measureScale } from './scale.js';
import { measureStart } from './start.js';
import { measureTransports } from './transports.js';

/** Resources that the parts of a run share. Each is created when a part first needs it. */
export interface SharedResources {
  server(): Promise<PostgresServer>;
  postgres(): Promise<DataSet>;
  sqlite(): Promise<DataSet>;
}

type RunPart = (bench: BenchmarkContext, shared: SharedResources) => Promise<Partial<Parts>>;

const parts: { readonly [name: string]: RunPart } = {
  postgres: async (bench, shared) => ({
    postgres: await measureEndpoints(bench, await shared.postgres(), {
      ours: 'millrace-pg',
      others: ['hand-tuned-pg', 'documents-pg', 'fastify-pg', 'koa-knex-pg', 'feathers-knex-pg'],
    }),
  }),
  sqlite: async (bench, shared) => ({
    sqlite: await measureEndpoints(bench, await shared.sqlite(), {
      ours: 'millrace-sqlite',
      others: ['hand-tuned-sqlite', 'documents-sqlite', 'koa-knex-sqlite'],
    }),
  }),
  cold: async (bench, shared) => ({
    cold: [
      ...(await measureCold(bench, await shared.postgres(), ['millrace-pg', 'hand-tuned-pg'])),
      ...(await measureCold(bench, await shared.sqlite(), ['millrace-sqlite', 'hand-tuned-sqlite'])),
    ],
  }),
  transports: async (bench, shared) => ({ transports: await measureTransports(bench, await shared.postgres()) }),
  memory: async (bench, shared) => ({ memory: await measureMemory(bench, await shared.postgres()) }),
  'in-process': async (bench) => ({ 'in-process': await measureInProcess(bench) }),
  start: async (bench) => ({ start: await measureStart(bench) }),
  accept: async (bench, shared) => ({ accept: await measureAccept(bench, await shared.server()) }),
  growth: async (bench, shared) => ({ growth: await measureGrowth(bench, await shared.server()) }),
  fixtures: async (bench, shared) => ({ fixtures: await measureFixtures(bench, await shared.server()) }),
  'fake-servers': async (bench) => ({ 'fake-servers': await measureFakes(bench) }),
  // The last part on PostgreSQL, because adding a standby restarts the server.
  scale: async (bench, shared) => ({
    scale: await measureScale(bench, await shared.postgres(), await shared.server()),
  }),
  conformance: async (bench) => ({ conformance: await measureConformance(bench) }),
};

/** Parts that a quick run omits, unless they are named by `--only`. */
const slowParts: readonly string[] = ['scale', 'conformance'];

export const partNames = Object.keys(parts);

/**
 * Runs the parts one after the other. A part that fails is logged and omitted; the others are still measured. All servers
 * that were started are stopped at the end, also after an error.
 */
export async function runParts(bench: BenchmarkContext, only: readonly string[]): Promise<Result> {
  const unknown = only.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new TypeError(`There is no part ${unknown.join(', ')}; there are ${partNames.join(', ')}`);
  const machineReport = watchMachine();
  const { shared, close } = createSharedResources(bench);
  const found: Parts = {};
  const failed: string[] = [];
  let version = 'not used';
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (only.length > 0 ? !only.includes(name) : bench.size.name === 'quick' && slowParts.includes(name)) continue;
      bench.progress.log(`Part ${name}`);
      try {
        Object.assign(found, await part(bench, shared));
      } catch (error) {
        failed.push(name);
        bench.progress.log(`Part ${name} has failed: ${error instanceof Error ? error.stack : error}`);
      }
    }
    version = (await shared.started())?.version ?? version;
  } finally {
    await close();
  }
  return { machine: machineReport(version), size: bench.size.name, failed, parts: found };
}

function createSharedResources(bench: BenchmarkContext): {
  shared: SharedResources & { started(): Promise<PostgresServer | undefined> };
  close(): Promise<void>;
} {
  let server: Promise<PostgresServer> | undefined;
  let postgres: Promise<DataSet> | undefined;
  let sqlite: Promise<DataSet> | undefined;
  const shared = {
    server: () => {
      server ??= startPostgres();
      return server;
    },
    postgres: () => {
      postgres ??= shared.server().then((started) => createPostgresDataSet(bench, started));
      return postgres;
    },
    sqlite: () => {
      sqlite ??= createSqliteDataSet(bench);
      return sqlite;
    },
    started: async () => server,
  };
  const close = async () => {
    for (const made of [postgres, sqlite, server]) {
      const resource = await made?.catch(() => undefined);
      await resource?.close();
    }
  };
  return { shared, close };
}
