import type { Bench } from '../bench.js';
import { slugOf } from '../data/organization.js';
import type { Request } from '../load/job.js';
import type { PeerName } from '../peers/index.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { DataSet } from './data-set.js';
import { contest, type Measured } from './round.js';

/** So much may be kept: some 140 builds, which have left again long before they are asked for a second time. */
const cache = { renderings: 2_000_000 };

/**
 * Nothing has been rendered yet: builds and pages are asked for one after the other, far more than the cache may hold, so
 * that each of them has to be read and written anew.
 */
export async function measureCold(
  bench: Bench,
  data: DataSet,
  names: readonly [PeerName, PeerName],
): Promise<Measured[]> {
  const [ours, other] = names;
  const servers: PeerServer[] = [];
  try {
    servers.push(await startPeer(ours, { ...data.place, cache }));
    servers.push(await startPeer(other, data.place));
    const results: Measured[] = [];
    for (const [endpoint, requests] of Object.entries(coldRequests(bench))) {
      bench.progress.say(`${endpoint}: ${servers.map(({ name }) => name).join(', ')}`);
      results.push(
        ...(await contest({ ...bench, endpoint, servers, requests, until: bench.turn, database: data.pid })),
      );
    }
    return results;
  } finally {
    for (const server of servers) await server.close();
  }
}

function coldRequests({ size }: Bench): Readonly<Record<string, Request[]>> {
  const get = (target: string): Request => ({ method: 'GET', target: `/v2/organizations/acme/pipelines/${target}` });
  const first = size.pipelines[0] ?? 0;
  return {
    'one build, cold': Array.from({ length: first }, (_, n) => get(`${slugOf(0)}/builds/${first - n}`)),
    'list, cold': size.pipelines.flatMap((builds, place) =>
      Array.from({ length: Math.min(6, Math.floor(builds / 30)) }, (_, page) =>
        get(`${slugOf(place)}/builds?page=${page + 1}`),
      ),
    ),
  };
}
