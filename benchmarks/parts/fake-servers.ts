import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { slugOf } from '../data/organization.js';
import { sizes } from '../data/size.js';
import { jsonServer } from '../peers/json-server.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import { agreeOnContent, askOver } from './agree.js';
import { requestsOf } from './requests.js';
import { contest, type Measured } from './round.js';

/** What people take for a fake: json-server with our answers as its database, and the whole API in memory beside it. */
export async function measureFakes(bench: Bench): Promise<Measured[]> {
  const size = sizes.quick;
  const servers: PeerServer[] = [await startPeer('millrace-memory', {})];
  try {
    const [ours] = servers as [PeerServer];
    const builds: unknown[] = [];
    for (let page = 1; builds.length < (size.pipelines[0] ?? 0); page += 1) {
      const target = `/v2/organizations/acme/pipelines/${slugOf(0)}/builds?per_page=100&page=${page}`;
      builds.push(...JSON.parse((await askOver(ours.url, { method: 'GET', target })).text));
    }
    const file = join(bench.directory, 'json-server.json');
    writeFileSync(file, JSON.stringify({ builds }));
    const other = await startPeer('json-server', { constants: { file } });
    servers.push(other);
    const results: Measured[] = [];
    for (const endpoint of jsonServer.endpoints) {
      const requests = requestsOf(endpoint, size);
      await agreeOnContent(ours, other, requests.slice(0, 3));
      bench.progress.say(`${endpoint}: ${servers.map(({ name }) => name).join(', ')}`);
      const given = { ...bench, endpoint, servers, requests };
      await contest({ ...given, rounds: 1, until: bench.turn / 2 });
      results.push(...(await contest({ ...given, until: bench.turn })));
    }
    return results;
  } finally {
    for (const server of servers) await server.close();
  }
}
