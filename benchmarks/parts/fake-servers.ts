import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchmarkContext } from '../benchmark-context.js';
import { pipelineSlug } from '../data/organization.js';
import { sizes } from '../data/size.js';
import { jsonServer } from '../peers/json-server.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import { assertSameContent, fetchResponse } from './equivalence.js';
import { type Measurement, measurePeers } from './measure-peers.js';
import { requestsOf } from './requests.js';

/** Compares fake servers: json-server with responses of Millrace as its database, and Millrace in memory. */
export async function measureFakes(bench: BenchmarkContext): Promise<Measurement[]> {
  const size = sizes.quick;
  const servers: PeerServer[] = [await startPeer('millrace-memory', {})];
  try {
    const [ours] = servers as [PeerServer];
    const builds: unknown[] = [];
    for (let page = 1; builds.length < (size.pipelines[0] ?? 0); page += 1) {
      const target = `/v2/organizations/acme/pipelines/${pipelineSlug(0)}/builds?per_page=100&page=${page}`;
      builds.push(...JSON.parse((await fetchResponse(ours.url, { method: 'GET', target })).text));
    }
    const file = join(bench.directory, 'json-server.json');
    writeFileSync(file, JSON.stringify({ builds }));
    const other = await startPeer('json-server', { constants: { file } });
    servers.push(other);
    const results: Measurement[] = [];
    for (const endpoint of jsonServer.endpoints) {
      const requests = requestsOf(endpoint, size);
      await assertSameContent(ours, other, requests.slice(0, 3));
      bench.progress.log(`${endpoint}: ${servers.map(({ name }) => name).join(', ')}`);
      const options = { ...bench, endpoint, servers, requests };
      await measurePeers({ ...options, rounds: 1, until: bench.turnMs / 2 });
      results.push(...(await measurePeers({ ...options, until: bench.turnMs })));
    }
    return results;
  } finally {
    for (const server of servers) await server.close();
  }
}
