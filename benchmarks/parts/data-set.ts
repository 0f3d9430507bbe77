import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../../core/index.js';
import type { BenchmarkContext } from '../benchmark-context.js';
import { storeDocumentsInPostgres, storeDocumentsInSqlite } from '../data/documents.js';
import { loadPostgres, withClient } from '../data/load-postgres.js';
import { loadSqlite, openSqlite } from '../data/load-sqlite.js';
import { baseUrl, type OrganizationFixture, organizationFixture } from '../data/organization.js';
import { restorePostgres, restoreStatements } from '../data/restore.js';
import { documentedBuilds } from '../data/size.js';
import { createStorage } from '../peers/millrace.js';
import type { PeerOptions } from '../peers/peer.js';
import { freshDatabase } from '../servers/database.js';
import type { PostgresServer } from '../servers/postgres.js';

/** The data of a run, loaded into one database. */
export interface DataSet {
  readonly name: 'PostgreSQL' | 'SQLite';
  readonly fixture: OrganizationFixture;
  readonly peerOptions: PeerOptions;
  /** The process of the database server, if there is one and its processor time can be read. */
  readonly pid: number | undefined;
  /** Undoes what the loads have created, canceled, accepted and released. */
  restore(): Promise<void>;
  /** The types of the events about a build and its jobs, sorted. */
  eventTypesOf(buildId: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Whether the documents for the peers `documents-…` are stored as well. */
interface DataSetOptions {
  readonly documents: boolean;
}

export async function createPostgresDataSet(
  bench: BenchmarkContext,
  server: PostgresServer,
  options: DataSetOptions = { documents: true },
): Promise<DataSet> {
  const database = await freshDatabase(server.url, 'data');
  return createPostgresDataSetIn(bench, database.url, database.drop, { ...options, pid: () => server.pid });
}

/** Loads the data into an empty database that the caller has made; `close` is called when the data is not needed any more. */
export async function createPostgresDataSetIn(
  bench: BenchmarkContext,
  url: string,
  close: () => Promise<void>,
  {
    documents = true,
    pid = () => undefined,
  }: Partial<DataSetOptions> & { readonly pid?: () => number | undefined } = {},
): Promise<DataSet> {
  const { size, progress } = bench;
  const fixture = organizationFixture(size);
  const peerOptions = { postgres: url };
  await loadPostgres(url, size, fixture, progress);
  if (documents) {
    const api = createApi({ storage: createStorage('PostgreSQL', peerOptions), baseUrl });
    const count = documentedBuilds(size);
    await withClient(url, (client) => storeDocumentsInPostgres(client, api, fixture, count, progress)).finally(() =>
      api.close(),
    );
  }
  return {
    name: 'PostgreSQL',
    fixture,
    peerOptions,
    get pid() {
      return pid();
    },
    restore: () => withClient(url, (client) => restorePostgres(client, fixture, size)),
    eventTypesOf: (id) =>
      withClient(url, async (client) => {
        const text = `select type from millrace_events where data::json ->> 'build_id' = $1 order by type`;
        return (await client.query<{ type: string }>(text, [id])).rows.map(({ type }) => type);
      }),
    close,
  };
}

export async function createSqliteDataSet(
  bench: BenchmarkContext,
  { documents }: DataSetOptions = { documents: true },
): Promise<DataSet> {
  const { size, progress, directory } = bench;
  const fixture = organizationFixture(size);
  const sqlite = join(directory, 'data.db');
  const peerOptions = { sqlite };
  await loadSqlite(sqlite, size, fixture, progress);
  const file = await openSqlite(sqlite);
  if (documents) {
    const api = createApi({ storage: createStorage('SQLite', peerOptions), baseUrl });
    await storeDocumentsInSqlite(file, api, fixture, documentedBuilds(size), progress);
    await api.close();
  }
  return {
    name: 'SQLite',
    fixture,
    peerOptions,
    pid: undefined,
    restore: async () => {
      await file.all('begin immediate');
      for (const statement of restoreStatements(fixture, size)) await file.all(statement);
      await file.all('commit');
    },
    eventTypesOf: async (id) => {
      const text = `select type from millrace_events where data ->> '$.build_id' = ? order by type`;
      return (await file.all<{ type: string }>(text, [id])).map(({ type }) => type);
    },
    close: async () => {
      await file.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(sqlite + suffix, { force: true });
    },
  };
}
