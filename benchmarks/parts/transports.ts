import type { BenchmarkContext } from '../benchmark-context.js';
import type { Endpoint } from '../peers/peer.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { DataSet } from './data-set.js';
import { type Measurement, measurePeers } from './measure-peers.js';
import { requestsOf } from './requests.js';

const transportEndpoints: readonly Endpoint[] = ['one build', 'list, page 1'];

/** Measures the same API and data over each transport. */
export async function measureTransports(bench: BenchmarkContext, data: DataSet): Promise<Measurement[]> {
  const servers: PeerServer[] = [];
  try {
    for (const name of ['millrace-pg', 'millrace-pg-koa', 'millrace-pg-fetch'] as const) {
      servers.push(await startPeer(name, data.peerOptions));
    }
    const results: Measurement[] = [];
    for (const endpoint of transportEndpoints) {
      const requests = requestsOf(endpoint, bench.size);
      bench.progress.log(`${endpoint}: ${servers.map(({ name }) => name).join(', ')}`);
      const options = { ...bench, endpoint, servers, requests, database: data.pid };
      await measurePeers({ ...options, rounds: 1, until: 'asked' });
      results.push(...(await measurePeers({ ...options, until: bench.turnMs })));
    }
    return results;
  } finally {
    for (const server of servers) await server.close();
  }
}
