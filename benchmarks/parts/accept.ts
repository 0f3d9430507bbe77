import { createApi } from '../../core/index.js';
import type { BenchmarkContext } from '../benchmark-context.js';
import { loadPostgres } from '../data/load-postgres.js';
import { baseUrl, organizationFixture } from '../data/organization.js';
import { type Size, sizes } from '../data/size.js';
import { createStorage } from '../peers/millrace.js';
import { silentProgress } from '../progress.js';
import type { Figure } from '../report/result.js';
import { freshDatabase } from '../servers/database.js';
import type { PostgresServer } from '../servers/postgres.js';
import { median } from './statistics.js';

const agents = 64;

/** A number of agents accept a job at the same time. Each job must go to one agent only. */
export async function measureAccept(bench: BenchmarkContext, server: PostgresServer): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const waiting of [100, 1_000, 10_000]) {
    bench.progress.log(`${agents} agents, ${waiting} waiting jobs`);
    const samples = await measureRounds(bench, server, waiting);
    figures.push({ name: `${waiting} waiting`, value: median(samples), unit: 'ms per accept', samples });
  }
  return figures;
}

/** Milliseconds per accept, for each round. */
async function measureRounds(bench: BenchmarkContext, server: PostgresServer, waiting: number): Promise<number[]> {
  const builds = waiting / 4;
  const size: Size = { ...sizes.tiny, pipelines: [builds], cancelable: builds, agents };
  const fixture = organizationFixture(size);
  const database = await freshDatabase(server.url, 'accept');
  await loadPostgres(database.url, size, fixture, silentProgress);
  const api = createApi({ storage: createStorage('PostgreSQL', { postgres: database.url }), baseUrl });
  try {
    const samples: number[] = [];
    for (let round = -1; round < bench.rounds; round += 1) {
      const began = performance.now();
      const jobs = await Promise.all(fixture.agents.map(({ id }) => api.runtime.jobs.accept({ agent: id })));
      const took = performance.now() - began;
      const acceptedIds = new Set(jobs.map((job) => job?.id));
      if (acceptedIds.has(undefined) || acceptedIds.size !== agents) {
        throw new Error(`${agents} agents accepted ${acceptedIds.size} different jobs`);
      }
      for (const job of jobs) await api.runtime.jobs.release({ job: job?.id ?? '' });
      // The first round only opens the connections and prepares the statements.
      if (round >= 0) samples.push(took / agents);
    }
    return samples;
  } finally {
    await api.close();
    await database.drop();
  }
}
