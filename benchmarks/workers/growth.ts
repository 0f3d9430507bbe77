import { createApi } from '../../core/index.js';
import { baseUrl, organizationOf, slugOf } from '../data/organization.js';
import { sizes } from '../data/size.js';
import { newBuild } from '../parts/requests.js';
import { lowTenth } from '../parts/statistics.js';
import { storageOf } from '../peers/ours.js';
import type { Place } from '../peers/peer.js';
import { ask } from '../servers/in-process.js';
import { working } from './run.js';

interface Given {
  readonly place: Place;
  readonly count: number;
  readonly agents: number;
}

/** Milliseconds that each kind of question takes, asked alone: what a tenth of many are below. */
working(async ({ place, count, agents }: Given): Promise<Record<string, number>> => {
  const api = createApi({ storage: storageOf(place.sqlite === undefined ? 'PostgreSQL' : 'SQLite', place), baseUrl });
  const builds = `/v2/organizations/acme/pipelines/${slugOf(0)}/builds`;
  const world = organizationOf({ ...sizes.tiny, users: 50, agents });
  const time = (n: number) => new Date(Date.UTC(2024, 0, 1, 9, 30) + n * 60_000).toISOString();
  const get = (query: string) => () => ask(api, builds + query);
  let turn = 0;
  const cases: Readonly<Record<string, () => Promise<unknown>>> = {
    'page 1': get(''),
    'page 10,000 of one build': get('?page=10000&per_page=1'),
    'the farthest of 10,000 pages': get(`?page=${Math.min(10_000, Math.floor(count / 30))}`),
    'state + branch': get('?state=passed&branch=main'),
    commit: () => ask(api, `${builds}?commit=${((turn++ * 17 + 1) * 1031).toString(16).padStart(40, '0')}`),
    creator: get(`?creator=${world.users[7]?.id}`),
    'meta-data': get('?meta_data[release]=v7'),
    'created from and to': get(`?created_from=${time(count / 2)}&created_to=${time(count / 2 + 500)}`),
    'finished from': get(`?finished_from=${time(count - 2_000)}`),
    'one build': () => ask(api, `${builds}/${count - ((turn++ * 37) % 9_000)}`),
    create: () => ask(api, builds, 'POST', newBuild(turn++)),
    accept: async () => {
      const agent = world.agents[turn++ % agents]?.id ?? '';
      if ((await api.host.jobs.accept({ agent })) === null) throw new Error('There was no job to accept');
    },
  };
  const found: Record<string, number> = {};
  for (const [name, work] of Object.entries(cases)) {
    const samples: number[] = [];
    // Each agent accepts once; everything else is asked until the figure is steady.
    const times = name === 'accept' ? agents : 100;
    const warming = name === 'accept' ? 1 : 10;
    for (let n = 0; n < times; n += 1) {
      const began = performance.now();
      await work();
      if (n >= warming) samples.push(performance.now() - began);
    }
    found[name] = lowTenth(samples);
  }
  await api.close();
  return found;
});
