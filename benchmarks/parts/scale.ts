import type { BenchmarkContext } from '../benchmark-context.js';
import { withClient } from '../data/load-postgres.js';
import { totalBuilds } from '../data/size.js';
import type { Endpoint } from '../peers/peer.js';
import type { Figure, Parts } from '../report/result.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { PostgresServer } from '../servers/postgres.js';
import { startProxy } from '../servers/start-proxy.js';
import type { DataSet } from './data-set.js';
import { type Measurement, measurePeers } from './measure-peers.js';
import { requestsOf } from './requests.js';

const scaleEndpoints: readonly Endpoint[] = ['one build', 'list, page 1', 'create'];

/** One and two processes on one database behind a proxy, then two with a standby for reads; and the size of the tables. */
export async function measureScale(
  bench: BenchmarkContext,
  data: DataSet,
  server: PostgresServer,
): Promise<NonNullable<Parts['scale']>> {
  const sizes = await bytesPerBuild(data, totalBuilds(bench.size));
  const measured = [...(await measureBehindProxy(bench, data, 1)), ...(await measureBehindProxy(bench, data, 2))];
  if (server.pid !== undefined) {
    bench.progress.log('Starting a standby for reads');
    const standby = await server.addStandby();
    const replica = new URL(standby.url);
    replica.pathname = new URL(data.peerOptions.postgres ?? '').pathname;
    const peerOptions = { ...data.peerOptions, replicas: [replica.href] };
    measured.push(
      ...(await measureBehindProxy(
        bench,
        { ...data, peerOptions, restore: data.restore, pid: server.pid },
        2,
        ' and a standby',
      )),
    );
  }
  return { measured, sizes };
}

async function measureBehindProxy(
  bench: BenchmarkContext,
  data: DataSet,
  processes: number,
  suffix = '',
): Promise<Measurement[]> {
  const servers: PeerServer[] = [];
  for (let n = 0; n < processes; n += 1) servers.push(await startPeer('millrace-pg', data.peerOptions));
  const proxy = await startProxy(servers.map(({ url }) => url));
  const [first] = servers as [PeerServer];
  // The load generator sees one server.
  const proxied: PeerServer = { ...first, url: proxy.url };
  const results: Measurement[] = [];
  try {
    for (const endpoint of scaleEndpoints) {
      const requests = requestsOf(endpoint, bench.size);
      const restore = endpoint === 'create' ? { restore: data.restore } : {};
      const options = { ...bench, ...restore, endpoint, servers: [proxied], requests, database: data.pid };
      bench.progress.log(`${endpoint}: ${processes} processes${suffix}`);
      await measurePeers({ ...options, rounds: 1, until: bench.turnMs });
      const [found] = await measurePeers({ ...options, until: bench.turnMs });
      if (found !== undefined)
        results.push({ ...found, peer: `${processes} process${processes > 1 ? 'es' : ''}${suffix}` });
    }
  } finally {
    proxy.close();
    for (const server of servers) await server.close();
  }
  return results;
}

/** Bytes of the tables and their indexes per build. */
async function bytesPerBuild(data: DataSet, builds: number): Promise<Figure[]> {
  return withClient(data.peerOptions.postgres ?? '', async (client) => {
    const figures: Figure[] = [];
    for (const table of ['builds', 'builds_meta_data', 'jobs']) {
      const text = 'select pg_table_size($1::regclass) as rows, pg_indexes_size($1::regclass) as indexes';
      const { rows } = await client.query<{ rows: string; indexes: string }>(text, [`millrace_${table}`]);
      figures.push({ name: `${table}, rows`, value: Number(rows[0]?.rows) / builds, unit: 'bytes per build' });
      figures.push({
        name: `${table}, indexes`,
        value: Number(rows[0]?.indexes) / builds,
        unit: 'bytes per build',
      });
    }
    return figures;
  });
}
