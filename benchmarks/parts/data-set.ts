import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../../core/index.js';
import type { Bench } from '../bench.js';
import { storeInPostgres, storeInSqlite } from '../data/documents.js';
import { loadPostgres, withClient } from '../data/load-postgres.js';
import { loadSqlite, openSqlite } from '../data/load-sqlite.js';
import { baseUrl, type Organization, organizationOf } from '../data/organization.js';
import { restorePostgres, restoring } from '../data/restore.js';
import { documented } from '../data/size.js';
import { storageOf } from '../peers/ours.js';
import type { Place } from '../peers/peer.js';
import { freshDatabase } from '../servers/database.js';
import type { PostgresServer } from '../servers/postgres.js';

/** The data of a run in one database. */
export interface DataSet {
  readonly name: 'PostgreSQL' | 'SQLite';
  readonly world: Organization;
  readonly place: Place;
  /** The process of the database, if there is one. */
  readonly pid: number | undefined;
  /** Undoes what was created and canceled. */
  restore(): Promise<void>;
  /** The types of the events about a build and its jobs, in order. */
  eventsOf(buildId: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function postgresData(bench: Bench, server: PostgresServer): Promise<DataSet> {
  const database = await freshDatabase(server.url, 'data');
  return postgresDataIn(bench, database.url, database.drop, () => server.pid);
}

/** The data in an empty database that somebody else has made. */
export async function postgresDataIn(
  bench: Bench,
  url: string,
  close: () => Promise<void>,
  pid: () => number | undefined = () => undefined,
): Promise<DataSet> {
  const { size, progress } = bench;
  const world = organizationOf(size);
  const place = { postgres: url };
  await loadPostgres(url, size, world, progress);
  const api = createApi({ storage: storageOf('PostgreSQL', place), baseUrl });
  try {
    await withClient(url, (client) => storeInPostgres(client, api, world, documented(size), progress));
  } finally {
    await api.close();
  }
  return {
    name: 'PostgreSQL',
    world,
    place,
    get pid() {
      return pid();
    },
    restore: () => withClient(url, (client) => restorePostgres(client, world, size)),
    eventsOf: (id) =>
      withClient(url, async (client) => {
        const text = `select type from millrace_events where data::json ->> 'build_id' = $1 order by type`;
        return (await client.query<{ type: string }>(text, [id])).rows.map(({ type }) => type);
      }),
    close,
  };
}

export async function sqliteData(bench: Bench): Promise<DataSet> {
  const { size, progress, directory } = bench;
  const world = organizationOf(size);
  const sqlite = join(directory, 'data.db');
  const place = { sqlite };
  await loadSqlite(sqlite, size, world, progress);
  const file = await openSqlite(sqlite);
  const api = createApi({ storage: storageOf('SQLite', place), baseUrl });
  await storeInSqlite(file, api, world, documented(size), progress);
  await api.close();
  return {
    name: 'SQLite',
    world,
    place,
    pid: undefined,
    restore: async () => {
      await file.all('begin immediate');
      for (const statement of restoring(world, size)) await file.all(statement);
      await file.all('commit');
    },
    eventsOf: async (id) => {
      const text = `select type from millrace_events where data ->> '$.build_id' = ? order by type`;
      return (await file.all<{ type: string }>(text, [id])).map(({ type }) => type);
    },
    close: async () => {
      await file.close();
      for (const end of ['', '-wal', '-shm']) rmSync(sqlite + end, { force: true });
    },
  };
}
