import { join } from 'node:path';
import { memoryStorage } from '../../adapters/memory/index.js';
import { createApi, type Fixture, type Storage } from '../../core/index.js';
import type { BenchmarkContext } from '../benchmark-context.js';
import { createStorage } from '../peers/millrace.js';
import type { Figure } from '../report/result.js';
import { freshDatabase } from '../servers/database.js';
import type { PostgresServer } from '../servers/postgres.js';

/** Loads a fixture into each storage. The records include the jobs that are derived from the steps of the pipelines. */
export async function measureFixtures(
  { size, directory, progress }: BenchmarkContext,
  server: PostgresServer,
): Promise<Figure[]> {
  const builds = size.name === 'full' ? 3_000 : 600;
  const database = await freshDatabase(server.url, 'fixture');
  const storages: readonly (readonly [string, () => Storage])[] = [
    ['memory', memoryStorage],
    ['SQLite', () => createStorage('SQLite', { sqlite: join(directory, 'fixture.db') })],
    ['PostgreSQL', () => createStorage('PostgreSQL', { postgres: database.url })],
  ];
  const figures: Figure[] = [];
  for (const [name, make] of storages) {
    progress.log(`${name}: a fixture of ${builds} builds`);
    const api = createApi({ storage: make() });
    try {
      await api.prepare();
      const began = performance.now();
      await api.load(fixtureOf(builds));
      const seconds = (performance.now() - began) / 1_000;
      figures.push({ name, value: (builds * (1 + jobsPerBuild)) / seconds, unit: 'records per second' });
    } finally {
      await api.close();
    }
  }
  await database.drop();
  return figures;
}

const jobsPerBuild = 4;

const fixtureOf = (builds: number): Fixture => ({
  organizations: [{ slug: 'acme' }],
  users: [{ name: 'Ada', email: 'ada@acme.example', organizations: [{ organization: 'acme', role: 'admin' }] }],
  clusters: [{ organization: 'acme', name: 'Everything', default_queue: 'default' }],
  queues: [{ organization: 'acme', cluster: 'Everything', key: 'default' }],
  pipelines: [
    {
      organization: 'acme',
      slug: 'web',
      repository: 'git@git.acme.example:acme/web.git',
      cluster: 'Everything',
      steps: Array.from({ length: jobsPerBuild }, (_, n) => ({
        key: `step-${n}`,
        name: `Step ${n}`,
        command: `make step-${n}`,
      })),
    },
  ],
  builds: Array.from({ length: builds }, (_, n) => ({
    organization: 'acme',
    pipeline: 'web',
    commit: String(n).padStart(40, '0'),
    branch: n % 2 ? 'main' : 'develop',
    message: `Build ${n}`,
    state: 'passed',
  })),
});
