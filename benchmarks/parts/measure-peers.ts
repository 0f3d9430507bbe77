import { accessToken } from '../data/organization.js';
import type { Generator } from '../load/generator.js';
import type { LoadResult, LoadSpec } from '../load/load-spec.js';
import type { Endpoint } from '../peers/peer.js';
import type { PeerServer } from '../servers/peer-server.js';
import { memoryOf, processorTime } from '../servers/procfs.js';
import { median } from './statistics.js';

/** The figures of one endpoint of one peer: medians of its rounds. */
export interface Measurement {
  readonly peer: string;
  readonly endpoint: Endpoint | string;
  readonly perSecond: number;
  /** The rate of each round. */
  readonly rounds: readonly number[];
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time per request. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  /** Resident memory of the server after the last round, in bytes. */
  readonly memory: number;
  /** Size of a response body in bytes. */
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
  /** The process of the database server, if there is one. */
  readonly database?: number | undefined;
  /** Called after each turn of each peer. */
  readonly restore?: () => Promise<void>;
}

/** The figures of one turn of one server, with microseconds of processor time per request. */
export interface TurnResult extends LoadResult {
  readonly serverCpu: number;
  readonly databaseCpu: number;
}

/** Measures the peers in turns, round by round, so that other load on the machine affects all of them. */
export async function measurePeers(options: MeasurePeersOptions): Promise<Measurement[]> {
  const turns = new Map<PeerServer, TurnResult[]>(options.servers.map((server) => [server, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    // Each round begins with another peer.
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

/** One turn: runs the load against one server, and measures the processor time of server and database meanwhile. */
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
  if (load.requests === 0) throw new Error(`${server.name} has not answered any request in its turn (${endpoint})`);
  const each = (seconds: number) => (seconds * 1e6) / load.requests;
  return {
    ...load,
    serverCpu: each(processorTime(server.pid) - before.server),
    databaseCpu: each(processorTime(database) - before.database),
  };
}
