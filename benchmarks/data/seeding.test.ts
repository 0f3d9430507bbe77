import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { freshDatabase } from '../../adapters/knex/postgres/testing/_database.test.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { createApi, type Storage } from '../../core/index.js';
import { storageOf } from '../peers/ours.js';
import { silent } from '../progress.js';
import { ask } from '../servers/in-process.js';
import { buildsOf } from './builds.js';
import { growing, postgresSpelling, sqliteSpelling } from './growth.js';
import { loadPostgres, withClient } from './load-postgres.js';
import { loadSqlite, openSqlite } from './load-sqlite.js';
import { commitAll } from './memory.js';
import { baseUrl, organizationOf } from './organization.js';
import { type Size, sizes } from './size.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
test.after.always(() => rmSync(directory, { recursive: true, force: true }));

const builds = '/v2/organizations/acme/pipelines/web-0/builds';

/** What a storage answers to these addresses. */
async function answers(storage: Storage, targets: readonly string[]): Promise<string[]> {
  const api = createApi({ storage, baseUrl });
  try {
    const found: string[] = [];
    for (const target of targets) found.push(await ask(api, target));
    return found;
  } finally {
    await api.close();
  }
}

test('seeding.is-the-same-every-time', (t) => {
  const world = organizationOf(sizes.tiny);
  t.deepEqual(organizationOf(sizes.tiny), world);
  const [first, second] = [[...buildsOf(sizes.tiny, world)], [...buildsOf(sizes.tiny, world)]];
  t.deepEqual(first, second);
  t.is(new Set(first.flatMap(({ build, jobs }) => [build.id, ...jobs.map(({ id }) => id)])).size, first.length * 5);
});

test('seeding.fills-every-database-with-the-same', async (t) => {
  const world = organizationOf(sizes.tiny);
  const targets = [
    builds,
    `${builds}?page=3`,
    `${builds}?state=passed&branch=main`,
    `${builds}/7`,
    '/v2/organizations/acme/agents',
  ];
  const memory = memoryStorage();
  await commitAll(memory, sizes.tiny, world);
  const expected = await answers(memory, targets);
  const sqlite = join(directory, 'seeded.db');
  await loadSqlite(sqlite, sizes.tiny, world, silent);
  t.deepEqual(await answers(storageOf('SQLite', { sqlite }), targets), expected);
  const database = await freshDatabase();
  try {
    await loadPostgres(database.url, sizes.tiny, world, silent);
    t.deepEqual(await answers(storageOf('PostgreSQL', { postgres: database.url }), targets), expected);
  } finally {
    await database.drop();
  }
});

test('seeding.grows-the-same-pipeline-in-both-databases', async (t) => {
  const size: Size = { ...sizes.tiny, pipelines: [0], cancelable: 0 };
  const world = organizationOf(size);
  const surround = async (storage: Storage) => {
    await storage.prepare();
    await commitAll(storage, size, world);
    await storage.close();
  };
  const targets = [
    builds,
    `${builds}?state=failed&branch=topic/3`,
    `${builds}?meta_data[release]=v4&per_page=3`,
    `${builds}/240`,
  ];
  const sqlite = join(directory, 'grown.db');
  await surround(storageOf('SQLite', { sqlite }));
  const file = await openSqlite(sqlite);
  await file.all('delete from millrace_sequences');
  for (const statement of growing(300, world, 'millrace_', sqliteSpelling)) await file.all(statement);
  await file.close();
  const database = await freshDatabase();
  try {
    await surround(storageOf('PostgreSQL', { postgres: database.url }));
    await withClient(database.url, async (client) => {
      await client.query('delete from millrace_sequences');
      for (const statement of growing(300, world, 'millrace_', postgresSpelling)) await client.query(statement);
    });
    const [page, ...others] = await answers(storageOf('PostgreSQL', { postgres: database.url }), targets);
    t.is(JSON.parse(page ?? '[]').length, 30);
    t.deepEqual(await answers(storageOf('SQLite', { sqlite }), targets), [page, ...others]);
  } finally {
    await database.drop();
  }
});
