import type { Bench } from '../bench.js';
import { withClient } from '../data/load-postgres.js';
import { buildsIn } from '../data/size.js';
import type { Endpoint } from '../peers/peer.js';
import type { Figure, Parts } from '../report/result.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { PostgresServer } from '../servers/postgres.js';
import { startProxy } from '../servers/start-proxy.js';
import type { DataSet } from './data-set.js';
import { requestsOf } from './requests.js';
import { contest, type Measured } from './round.js';

const asked: readonly Endpoint[] = ['one build', 'list, page 1', 'create'];

/** One and two processes on one database behind a proxy; then with a standby that answers reads. Last, how much room rows take. */
export async function measureScale(
  bench: Bench,
  data: DataSet,
  server: PostgresServer,
): Promise<NonNullable<Parts['scale']>> {
  const sizes = await sizesOf(data, buildsIn(bench.size));
  const measured = [...(await behindProxy(bench, data, 1)), ...(await behindProxy(bench, data, 2))];
  if (server.pid !== undefined) {
    bench.progress.say('A standby that answers reads');
    const standby = await server.addStandby();
    const replica = new URL(standby.url);
    replica.pathname = new URL(data.place.postgres ?? '').pathname;
    const place = { ...data.place, replicas: [replica.href] };
    measured.push(
      ...(await behindProxy(bench, { ...data, place, restore: data.restore, pid: server.pid }, 2, ' and a standby')),
    );
  }
  return { measured, sizes };
}

async function behindProxy(bench: Bench, data: DataSet, processes: number, more = ''): Promise<Measured[]> {
  const servers: PeerServer[] = [];
  for (let n = 0; n < processes; n += 1) servers.push(await startPeer('millrace-pg', data.place));
  const proxy = await startProxy(servers.map(({ url }) => url));
  const [first] = servers as [PeerServer];
  // To the load generator all of them are one server.
  const together: PeerServer = { ...first, url: proxy.url };
  const results: Measured[] = [];
  try {
    for (const endpoint of asked) {
      const requests = requestsOf(endpoint, bench.size);
      const restore = endpoint === 'create' ? { restore: data.restore } : {};
      const given = { ...bench, ...restore, endpoint, servers: [together], requests, database: data.pid };
      bench.progress.say(`${endpoint}: ${processes} processes${more}`);
      await contest({ ...given, rounds: 1, until: bench.turn });
      const [found] = await contest({ ...given, until: bench.turn });
      if (found !== undefined)
        results.push({ ...found, peer: `${processes} process${processes > 1 ? 'es' : ''}${more}` });
    }
  } finally {
    proxy.close();
    for (const server of servers) await server.close();
  }
  return results;
}

/** Bytes that the tables and their indexes take for each build. */
async function sizesOf(data: DataSet, builds: number): Promise<Figure[]> {
  return withClient(data.place.postgres ?? '', async (client) => {
    const figures: Figure[] = [];
    for (const table of ['builds', 'builds_meta_data', 'jobs']) {
      const text = 'select pg_table_size($1::regclass) as rows, pg_indexes_size($1::regclass) as indexes';
      const { rows } = await client.query<{ rows: string; indexes: string }>(text, [`millrace_${table}`]);
      figures.push({ name: `${table}, rows`, value: Number(rows[0]?.rows) / builds, unit: 'bytes for each build' });
      figures.push({
        name: `${table}, indexes`,
        value: Number(rows[0]?.indexes) / builds,
        unit: 'bytes for each build',
      });
    }
    return figures;
  });
}
