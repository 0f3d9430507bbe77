import { createApi } from '../../core/index.js';
import { baseUrl, organizationFixture, pipelineSlug } from '../data/organization.js';
import { sizes } from '../data/size.js';
import { newBuildInput } from '../parts/requests.js';
import { tenthPercentile } from '../parts/statistics.js';
import { createStorage } from '../peers/millrace.js';
import type { PeerOptions } from '../peers/peer.js';
import { requestText } from '../servers/in-process-request.js';
import { defineWorker } from './child-process.js';

interface GrowthInput {
  readonly place: PeerOptions;
  readonly count: number;
  readonly agents: number;
}

/** Milliseconds of each kind of request, sent alone: the 10th percentile of many. */
defineWorker(async ({ place: peerOptions, count, agents }: GrowthInput): Promise<Record<string, number>> => {
  const api = createApi({
    storage: createStorage(peerOptions.sqlite === undefined ? 'PostgreSQL' : 'SQLite', peerOptions),
    baseUrl,
  });
  const builds = `/v2/organizations/acme/pipelines/${pipelineSlug(0)}/builds`;
  const fixture = organizationFixture({ ...sizes.tiny, users: 50, agents });
  const time = (n: number) => new Date(Date.UTC(2024, 0, 1, 9, 30) + n * 60_000).toISOString();
  const get = (query: string) => () => requestText(api, builds + query);
  let turn = 0;
  const cases: Readonly<Record<string, () => Promise<unknown>>> = {
    'page 1': get(''),
    'page 10,000 of one build': get('?page=10000&per_page=1'),
    'the farthest of 10,000 pages': get(`?page=${Math.min(10_000, Math.floor(count / 30))}`),
    'state + branch': get('?state=passed&branch=main'),
    commit: () => requestText(api, `${builds}?commit=${((turn++ * 17 + 1) * 1031).toString(16).padStart(40, '0')}`),
    creator: get(`?creator=${fixture.users[7]?.id}`),
    'meta-data': get('?meta_data[release]=v7'),
    'created from and to': get(`?created_from=${time(count / 2)}&created_to=${time(count / 2 + 500)}`),
    'finished from': get(`?finished_from=${time(count - 2_000)}`),
    'one build': () => requestText(api, `${builds}/${count - ((turn++ * 37) % 9_000)}`),
    create: () => requestText(api, builds, 'POST', newBuildInput(turn++)),
    accept: async () => {
      const agent = fixture.agents[turn++ % agents]?.id ?? '';
      if ((await api.runtime.jobs.accept({ agent })) === null) throw new Error('No job waits to be accepted');
    },
  };
  const found: Record<string, number> = {};
  for (const [name, work] of Object.entries(cases)) {
    const samples: number[] = [];
    // Each agent can accept one job; all other requests are repeated often enough for a steady figure.
    const runs = name === 'accept' ? agents : 100;
    const warmupRuns = name === 'accept' ? 1 : 10;
    for (let n = 0; n < runs; n += 1) {
      const began = performance.now();
      await work();
      if (n >= warmupRuns) samples.push(performance.now() - began);
    }
    found[name] = tenthPercentile(samples);
  }
  await api.close();
  return found;
});
