import { setTimeout as pause } from 'node:timers/promises';
import type { BenchmarkContext } from '../benchmark-context.js';
import { stepsPerPipeline } from '../data/organization.js';
import { responseKey } from '../peers/bare-http.js';
import type { PeerName } from '../peers/index.js';
import { type Endpoint, endpoints, type PeerOptions } from '../peers/peer.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import type { DataSet } from './data-set.js';
import { assertSameChanges, assertSameReads, fetchResponse } from './equivalence.js';
import { type Measurement, measurePeers } from './measure-peers.js';
import { requestsOf } from './requests.js';

/** The peers of one database. */
export interface EndpointsPart {
  readonly ours: PeerName;
  readonly others: readonly PeerName[];
}

/** Measures every endpoint of every peer, after checking that all peers give the same responses. */
export async function measureEndpoints(
  bench: BenchmarkContext,
  data: DataSet,
  { ours, others }: EndpointsPart,
): Promise<Measurement[]> {
  const started: PeerServer[] = [];
  const start = async (name: PeerName, place: PeerOptions): Promise<PeerServer> => {
    const server = await startPeer(name, place);
    started.push(server);
    return server;
  };
  try {
    const own = await start(ours, data.peerOptions);
    const bare = await start('bare-http', { constants: await recordConstants(own, bench) });
    const competitors: PeerServer[] = [];
    for (const name of others) {
      const other = await start(name, data.peerOptions);
      await assertEquivalent(bench, data, own, other);
      bench.progress.log(`${name} gives the same responses as Millrace (${other.peer.description})`);
      competitors.push(other);
    }
    return await measureAllEndpoints(bench, data, [own, ...competitors, bare]);
  } finally {
    for (const server of started) await server.close();
  }
}

const isRead = (endpoint: Endpoint) => endpoint !== 'create' && endpoint !== 'cancel';

/** A few requests of an endpoint, the first and the last among them. */
const sampleRequests = (endpoint: Endpoint, bench: BenchmarkContext) => {
  const requests = requestsOf(endpoint, bench.size);
  return [...new Set([0, 1, requests.length >> 1, requests.length - 1])].flatMap((place) => requests[place] ?? []);
};

/** Throws unless a peer responds as Millrace does, for a few requests of each of its endpoints. */
export async function assertEquivalent(
  bench: BenchmarkContext,
  data: DataSet,
  ours: PeerServer,
  other: PeerServer,
): Promise<void> {
  if (other.peer.endpoints.includes('cancel')) await assertSameCounters(bench, ours, other);
  for (const endpoint of other.peer.endpoints) {
    const requests = sampleRequests(endpoint, bench);
    if (isRead(endpoint)) await assertSameReads(ours, other, requests);
    else for (const request of requests) await assertSameChanges(ours, other, request, data.eventTypesOf);
  }
  await data.restore();
}

/** Compares the counters of the pipeline with the scheduled builds: the only pipeline whose counters are not 0. */
async function assertSameCounters({ size }: BenchmarkContext, ours: PeerServer, other: PeerServer): Promise<void> {
  // The peers cache counters for one second.
  await pause(1_100);
  const [request] = requestsOf('cancel', size);
  const target = (request?.target ?? '').replace('/cancel', '');
  const { pipeline } = JSON.parse((await fetchResponse(ours.url, { method: 'GET', target })).text);
  const counters = [pipeline.scheduled_builds_count, pipeline.scheduled_jobs_count, pipeline.running_builds_count];
  const expected = [size.cancelable, size.cancelable * stepsPerPipeline, 0];
  if (counters.join() !== expected.join()) throw new Error(`Millrace counts ${counters}, but there are ${expected}`);
  await assertSameReads(ours, other, [{ method: 'GET', target }]);
}

async function measureAllEndpoints(
  bench: BenchmarkContext,
  data: DataSet,
  servers: readonly PeerServer[],
): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const endpoint of endpoints) {
    const participants = servers.filter(({ peer }) => peer.endpoints.includes(endpoint));
    const requests = requestsOf(endpoint, bench.size);
    bench.progress.log(`${endpoint}: ${participants.map(({ name }) => name).join(', ')}`);
    const options = { ...bench, endpoint, servers: participants, requests, database: data.pid };
    const restoring = isRead(endpoint) ? {} : { restore: data.restore };
    // A build can only be canceled once, so each request is sent once.
    const time = (milliseconds: number) => (endpoint === 'cancel' ? 'asked' : milliseconds);
    // Fills the render cache of Millrace. The other peers have none.
    if (isRead(endpoint))
      await measurePeers({ ...options, servers: participants.slice(0, 1), rounds: 1, until: 'asked' });
    await measurePeers({ ...options, ...restoring, rounds: 1, until: time(bench.turnMs / 4) });
    results.push(...(await measurePeers({ ...options, ...restoring, until: time(bench.turnMs) })));
  }
  return results;
}

/** Responses of Millrace, for `bare-http`. */
async function recordConstants(
  ours: PeerServer,
  { size }: BenchmarkContext,
): Promise<NonNullable<PeerOptions['constants']>> {
  const constants: Record<string, string> = {};
  for (const endpoint of endpoints) {
    const [request] = requestsOf(endpoint, size);
    if (request === undefined) continue;
    const key = responseKey(request.method, request.target);
    // A change responds with a scheduled build, so one of those is read in its place.
    const target = isRead(endpoint)
      ? request.target
      : (requestsOf('cancel', size)[0]?.target ?? '').replace('/cancel', '');
    constants[key] = (await fetchResponse(ours.url, { method: 'GET', target })).text;
  }
  return constants;
}
