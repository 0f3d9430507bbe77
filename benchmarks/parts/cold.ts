import type { BenchmarkContext } from '../benchmark-context.js';
import { pipelineSlug } from '../data/organization.js';
import type { LoadRequest } from '../load/load-spec.js';
import type { PeerName } from '../peers/index.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { DataSet } from './data-set.js';
import { type Measurement, measurePeers } from './measure-peers.js';

/** Room for about 140 builds, which are evicted long before they are requested again. */
const cache = { renderings: 2_000_000 };

/** Requests far more builds and pages than fit into the render cache, so that each of them is loaded and rendered again. */
export async function measureCold(
  bench: BenchmarkContext,
  data: DataSet,
  names: readonly [PeerName, PeerName],
): Promise<Measurement[]> {
  const [ours, other] = names;
  const servers: PeerServer[] = [];
  try {
    servers.push(await startPeer(ours, { ...data.peerOptions, cache }));
    servers.push(await startPeer(other, data.peerOptions));
    const results: Measurement[] = [];
    for (const [endpoint, requests] of Object.entries(coldRequests(bench))) {
      bench.progress.log(`${endpoint}: ${servers.map(({ name }) => name).join(', ')}`);
      results.push(
        ...(await measurePeers({ ...bench, endpoint, servers, requests, until: bench.turnMs, database: data.pid })),
      );
    }
    return results;
  } finally {
    for (const server of servers) await server.close();
  }
}

function coldRequests({ size }: BenchmarkContext): Readonly<Record<string, LoadRequest[]>> {
  const get = (target: string): LoadRequest => ({
    method: 'GET',
    target: `/v2/organizations/acme/pipelines/${target}`,
  });
  const first = size.pipelines[0] ?? 0;
  return {
    'one build, cold': Array.from({ length: first }, (_, n) => get(`${pipelineSlug(0)}/builds/${first - n}`)),
    'list, cold': size.pipelines.flatMap((builds, index) =>
      Array.from({ length: Math.min(6, Math.floor(builds / 30)) }, (_, page) =>
        get(`${pipelineSlug(index)}/builds?page=${page + 1}`),
      ),
    ),
  };
}
