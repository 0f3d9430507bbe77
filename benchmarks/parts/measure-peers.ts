import { accessToken } from '../data/organization.js';
import type { Generator } from '../load/generator.js';
import type { LoadResult, LoadSpec } from '../load/load-spec.js';
import type { Endpoint } from '../peers/peer.js';
import type { PeerServer } from '../servers/peer-server.js';
import { memoryOf, processorTime } from '../servers/procfs.js';
import { median } from './statistics.js';

/** What one endpoint of one peer has come to: medians over its rounds. */
export interface Measurement {
  readonly peer: string;
  readonly endpoint: Endpoint | string;
  readonly perSecond: number;
  /** The rates of the single rounds. */
  readonly rounds: readonly number[];
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time for each request. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  /** Bytes of memory of the server when it was done. */
  readonly memory: number;
  /** Bytes of an answer. */
  readonly bytes: number;
}

export interface MeasurePeersOptions {
  readonly endpoint: Endpoint | string;
  readonly servers: readonly PeerServer[];
  readonly requests: LoadSpec['requests'];
  readonly until: LoadSpec['until'];
  readonly rounds: number;
  readonly connections: number;
  readonly generator: Generator;
  /** The process of the database, if it is one. */
  readonly database?: number | undefined;
  /** Done after each turn of each peer. */
  readonly restore?: () => Promise<void>;
}

/** What one turn of one server has come to, with the processor time per request. */
export interface TurnResult extends LoadResult {
  readonly serverCpu: number;
  readonly databaseCpu: number;
}

/** Peer by peer, round by round, so that whatever else the machine does meets all of them. */
export async function measurePeers(options: MeasurePeersOptions): Promise<Measurement[]> {
  const turns = new Map<PeerServer, TurnResult[]>(options.servers.map((server) => [server, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    // Another one begins each round.
    const order = options.servers.map(
      (_, index) => options.servers[(index + round) % options.servers.length] as PeerServer,
    );
    for (const server of order) {
      turns.get(server)?.push(await measureTurn(server, options));
      await options.restore?.();
    }
  }
  return options.servers.map((server) => {
    const results = turns.get(server) ?? [];
    const medianOf = (value: (turn: TurnResult) => number) => median(results.map(value));
    return {
      peer: server.name,
      endpoint: options.endpoint,
      perSecond: medianOf(({ perSecond }) => perSecond),
      rounds: results.map(({ perSecond }) => Math.round(perSecond)),
      p50: medianOf(({ p50 }) => p50),
      p99: medianOf(({ p99 }) => p99),
      serverCpu: medianOf(({ serverCpu }) => serverCpu),
      databaseCpu: medianOf(({ databaseCpu }) => databaseCpu),
      memory: memoryOf(server.pid).now,
      bytes: Math.round(medianOf(({ bytes, requests }) => bytes / requests)),
    };
  });
}

/** One turn: the load runs against one server, and the processor time of server and database is taken meanwhile. */
export async function measureTurn(
  server: PeerServer,
  {
    requests,
    until,
    connections,
    generator,
    database,
    endpoint,
  }: Omit<MeasurePeersOptions, 'servers' | 'rounds' | 'restore'>,
): Promise<TurnResult> {
  const before = { server: processorTime(server.pid), database: processorTime(database) };
  const authorization = `Bearer ${accessToken}`;
  const load = await generator.run({ url: server.url, requests, until, connections, authorization });
  if (load.errors > 0)
    throw new Error(`${server.name} answered ${load.errors} of ${load.requests} requests with an error (${endpoint})`);
  const each = (seconds: number) => (seconds * 1e6) / load.requests;
  return {
    ...load,
    serverCpu: each(processorTime(server.pid) - before.server),
    databaseCpu: each(processorTime(database) - before.database),
  };
}
