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

/** Which database the peers work on, who they are, and what stands in for whom. */
export interface EndpointsPart {
  readonly ours: PeerName;
  readonly others: readonly PeerName[];
}

/** Every endpoint of every peer, side by side. All of them have shown before that they answer alike. */
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
      bench.progress.log(`${name} answers as we do: ${other.peer.description}`);
      competitors.push(other);
    }
    return await measureAllEndpoints(bench, data, [own, ...competitors, bare]);
  } finally {
    for (const server of started) await server.close();
  }
}

const isRead = (endpoint: Endpoint) => endpoint !== 'create' && endpoint !== 'cancel';

/** A few requests of each endpoint: at least the first and the last. */
const sampleRequests = (endpoint: Endpoint, bench: BenchmarkContext) => {
  const requests = requestsOf(endpoint, bench.size);
  return [...new Set([0, 1, requests.length >> 1, requests.length - 1])].flatMap((place) => requests[place] ?? []);
};

/** Throws unless a peer does as we do: every endpoint that it has is asked a few times. */
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

/** The pipeline of the builds that wait to be canceled is the one whose counters are not 0. */
async function assertSameCounters({ size }: BenchmarkContext, ours: PeerServer, other: PeerServer): Promise<void> {
  // Whatever was kept of it before has to be forgotten by then.
  await pause(1_100);
  const [request] = requestsOf('cancel', size);
  const target = (request?.target ?? '').replace('/cancel', '');
  const { pipeline } = JSON.parse((await fetchResponse(ours.url, { method: 'GET', target })).text);
  const counters = [pipeline.scheduled_builds_count, pipeline.scheduled_jobs_count, pipeline.running_builds_count];
  const expected = [size.cancelable, size.cancelable * stepsPerPipeline, 0];
  if (counters.join() !== expected.join()) throw new Error(`We count ${counters} where there are ${expected}`);
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
    // A build can only be canceled once, so those that wait for it are asked for once.
    const time = (milliseconds: number) => (endpoint === 'cancel' ? 'asked' : milliseconds);
    // Ours is asked for everything once, so that all of it has been rendered; the others have nothing to keep.
    if (isRead(endpoint))
      await measurePeers({ ...options, servers: participants.slice(0, 1), rounds: 1, until: 'asked' });
    await measurePeers({ ...options, ...restoring, rounds: 1, until: time(bench.turnMs / 4) });
    results.push(...(await measurePeers({ ...options, ...restoring, until: time(bench.turnMs) })));
  }
  return results;
}

/** Our answers, for the server that has them at hand. */
async function recordConstants(
  ours: PeerServer,
  { size }: BenchmarkContext,
): Promise<NonNullable<PeerOptions['constants']>> {
  const constants: Record<string, string> = {};
  for (const endpoint of endpoints) {
    const [request] = requestsOf(endpoint, size);
    if (request === undefined) continue;
    const key = responseKey(request.method, request.target);
    // What a change answers is a build that has not begun, such as those that wait to be canceled.
    const target = isRead(endpoint)
      ? request.target
      : (requestsOf('cancel', size)[0]?.target ?? '').replace('/cancel', '');
    constants[key] = (await fetchResponse(ours.url, { method: 'GET', target })).text;
  }
  return constants;
}
