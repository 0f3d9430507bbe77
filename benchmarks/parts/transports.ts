import type { Bench } from '../bench.js';
import type { Endpoint } from '../peers/peer.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { DataSet } from './data-set.js';
import { requestsOf } from './requests.js';
import { contest, type Measured } from './round.js';

const asked: readonly Endpoint[] = ['one build', 'list, page 1'];

/** The same API over each transport, on the same data. */
export async function measureTransports(bench: Bench, data: DataSet): Promise<Measured[]> {
  const servers: PeerServer[] = [];
  try {
    for (const name of ['millrace-pg', 'millrace-pg-koa', 'millrace-pg-fetch'] as const) {
      servers.push(await startPeer(name, data.place));
    }
    const results: Measured[] = [];
    for (const endpoint of asked) {
      const requests = requestsOf(endpoint, bench.size);
      bench.progress.say(`${endpoint}: ${servers.map(({ name }) => name).join(', ')}`);
      const given = { ...bench, endpoint, servers, requests, database: data.pid };
      await contest({ ...given, rounds: 1, until: 'asked' });
      results.push(...(await contest({ ...given, until: bench.turn })));
    }
    return results;
  } finally {
    for (const server of servers) await server.close();
  }
}
