import { accessToken } from '../data/organization.js';
import type { Generator } from '../load/generator.js';
import type { Job, Load } from '../load/job.js';
import type { Endpoint } from '../peers/peer.js';
import type { PeerServer } from '../servers/peer-server.js';
import { memoryOf, processorTime } from '../servers/proc.js';
import { median } from './statistics.js';

/** What one endpoint of one peer has come to: medians over its rounds. */
export interface Measured {
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

export interface Contest {
  readonly endpoint: Endpoint | string;
  readonly servers: readonly PeerServer[];
  readonly requests: Job['requests'];
  readonly until: Job['until'];
  readonly rounds: number;
  readonly connections: number;
  readonly generator: Generator;
  /** The process of the database, if it is one. */
  readonly database?: number | undefined;
  /** Done after each turn of each peer. */
  readonly restore?: () => Promise<void>;
}

interface Turn extends Load {
  readonly serverCpu: number;
  readonly databaseCpu: number;
}

/** Peer by peer, round by round, so that whatever else the machine does meets all of them. */
export async function contest(given: Contest): Promise<Measured[]> {
  const turns = new Map<PeerServer, Turn[]>(given.servers.map((server) => [server, []]));
  for (let round = 0; round < given.rounds; round += 1) {
    // Another one begins each round.
    const order = given.servers.map((_, place) => given.servers[(place + round) % given.servers.length] as PeerServer);
    for (const server of order) {
      turns.get(server)?.push(await turn(server, given));
      await given.restore?.();
    }
  }
  return given.servers.map((server) => {
    const of = turns.get(server) ?? [];
    const middle = (value: (turn: Turn) => number) => median(of.map(value));
    return {
      peer: server.name,
      endpoint: given.endpoint,
      perSecond: middle(({ perSecond }) => perSecond),
      rounds: of.map(({ perSecond }) => Math.round(perSecond)),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      serverCpu: middle(({ serverCpu }) => serverCpu),
      databaseCpu: middle(({ databaseCpu }) => databaseCpu),
      memory: memoryOf(server.pid).now,
      bytes: Math.round(middle(({ bytes, requests }) => bytes / requests)),
    };
  });
}

async function turn(
  server: PeerServer,
  { requests, until, connections, generator, database, endpoint }: Contest,
): Promise<Turn> {
  const before = { server: processorTime(server.pid), database: processorTime(database) };
  const authorization = `Bearer ${accessToken}`;
  const load = await generator.run({ url: server.url, requests, until, connections, authorization });
  if (load.refused > 0)
    throw new Error(`${server.name} refused ${load.refused} of ${load.requests} requests (${endpoint})`);
  const each = (seconds: number) => (seconds * 1e6) / load.requests;
  return {
    ...load,
    serverCpu: each(processorTime(server.pid) - before.server),
    databaseCpu: each(processorTime(database) - before.database),
  };
}
