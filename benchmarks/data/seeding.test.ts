import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { createApi, type Storage } from '../../core/index.js';
import { freshDatabase } from '../../test/support/postgres/database.js';
import { createStorage } from '../peers/millrace.js';
import { silentProgress } from '../progress.js';
import { requestText } from '../servers/in-process-request.js';
import { buildsOf } from './builds.js';
import { growthStatements, postgresDialect, sqliteDialect } from './growth-statements.js';
import { loadPostgres, withClient } from './load-postgres.js';
import { loadSqlite, openSqlite } from './load-sqlite.js';
import { loadStorage } from './load-storage.js';
import { baseUrl, organizationFixture } from './organization.js';
import { type Size, sizes } from './size.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
test.after.always(() => rmSync(directory, { recursive: true, force: true }));

const builds = '/v2/organizations/acme/pipelines/web-0/builds';

/** The responses of an API on a storage to these paths. */
async function responses(storage: Storage, targets: readonly string[]): Promise<string[]> {
  const api = createApi({ storage, baseUrl });
  try {
    const found: string[] = [];
    for (const target of targets) found.push(await requestText(api, target));
    return found;
  } finally {
    await api.close();
  }
}

test('seeding.is-deterministic', (t) => {
  const fixture = organizationFixture(sizes.tiny);
  t.deepEqual(organizationFixture(sizes.tiny), fixture);
  const [first, second] = [[...buildsOf(sizes.tiny, fixture)], [...buildsOf(sizes.tiny, fixture)]];
  t.deepEqual(first, second);
  t.is(new Set(first.flatMap(({ build, jobs }) => [build.id, ...jobs.map(({ id }) => id)])).size, first.length * 5);
});

test('seeding.inserts-the-same-data-into-every-database', async (t) => {
  const fixture = organizationFixture(sizes.tiny);
  const targets = [
    builds,
    `${builds}?page=3`,
    `${builds}?state=passed&branch=main`,
    `${builds}/7`,
    '/v2/organizations/acme/agents',
  ];
  const memory = memoryStorage();
  await loadStorage(memory, sizes.tiny, fixture);
  const expected = await responses(memory, targets);
  const sqlite = join(directory, 'seeded.db');
  await loadSqlite(sqlite, sizes.tiny, fixture, silentProgress);
  t.deepEqual(await responses(createStorage('SQLite', { sqlite }), targets), expected);
  const database = await freshDatabase();
  try {
    await loadPostgres(database.url, sizes.tiny, fixture, silentProgress);
    t.deepEqual(await responses(createStorage('PostgreSQL', { postgres: database.url }), targets), expected);
  } finally {
    await database.drop();
  }
});

test('seeding.growth-statements-insert-the-same-pipeline-into-both-databases', async (t) => {
  const size: Size = { ...sizes.tiny, pipelines: [0], cancelable: 0 };
  const fixture = organizationFixture(size);
  const loadOrganization = async (storage: Storage) => {
    await storage.prepare();
    await loadStorage(storage, size, fixture);
    await storage.close();
  };
  const targets = [
    builds,
    `${builds}?state=failed&branch=topic/3`,
    `${builds}?meta_data[release]=v4&per_page=3`,
    `${builds}/240`,
  ];
  const sqlite = join(directory, 'grown.db');
  await loadOrganization(createStorage('SQLite', { sqlite }));
  const file = await openSqlite(sqlite);
  await file.all('delete from millrace_sequences');
  for (const statement of growthStatements(300, fixture, 'millrace_', sqliteDialect)) await file.all(statement);
  await file.close();
  const database = await freshDatabase();
  try {
    await loadOrganization(createStorage('PostgreSQL', { postgres: database.url }));
    await withClient(database.url, async (client) => {
      await client.query('delete from millrace_sequences');
      for (const statement of growthStatements(300, fixture, 'millrace_', postgresDialect))
        await client.query(statement);
    });
    const [page, ...others] = await responses(createStorage('PostgreSQL', { postgres: database.url }), targets);
    t.is(JSON.parse(page ?? '[]').length, 30);
    t.deepEqual(await responses(createStorage('SQLite', { sqlite }), targets), [page, ...others]);
  } finally {
    await database.drop();
  }
});
