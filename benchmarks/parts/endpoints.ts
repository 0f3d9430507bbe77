import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { stepsOfPipeline } from '../data/organization.js';
import { kindOf } from '../peers/bare.js';
import type { PeerName } from '../peers/index.js';
import { type Endpoint, endpoints, type Place } from '../peers/peer.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import { agreeOnChanges, agreeOnReads, askOver } from './agree.js';
import type { DataSet } from './data-set.js';
import { requestsOf } from './requests.js';
import { contest, type Measured } from './round.js';

/** Which database the peers work on, who they are, and what stands in for whom. */
export interface EndpointsPart {
  readonly ours: PeerName;
  readonly others: readonly PeerName[];
}

/** Every endpoint of every peer, side by side. All of them have shown before that they answer alike. */
export async function measureEndpoints(
  bench: Bench,
  data: DataSet,
  { ours, others }: EndpointsPart,
): Promise<Measured[]> {
  const started: PeerServer[] = [];
  const start = async (name: PeerName, place: Place): Promise<PeerServer> => {
    const server = await startPeer(name, place);
    started.push(server);
    return server;
  };
  try {
    const own = await start(ours, data.place);
    const bare = await start('bare-http', { constants: await constantsFrom(own, bench) });
    const rivals: PeerServer[] = [];
    for (const name of others) {
      const other = await start(name, data.place);
      await agree(bench, data, own, other);
      bench.progress.say(`${name} answers as we do: ${other.peer.about}`);
      rivals.push(other);
    }
    return await measured(bench, data, [own, ...rivals, bare]);
  } finally {
    for (const server of started) await server.close();
  }
}

const isRead = (endpoint: Endpoint) => endpoint !== 'create' && endpoint !== 'cancel';

/** A few requests of each endpoint: at least the first and the last. */
const samplesOf = (endpoint: Endpoint, bench: Bench) => {
  const requests = requestsOf(endpoint, bench.size);
  return [...new Set([0, 1, requests.length >> 1, requests.length - 1])].flatMap((place) => requests[place] ?? []);
};

/** Throws unless a peer does as we do: every endpoint that it has is asked a few times. */
export async function agree(bench: Bench, data: DataSet, ours: PeerServer, other: PeerServer): Promise<void> {
  if (other.peer.endpoints.includes('cancel')) await agreeOnCounters(bench, ours, other);
  for (const endpoint of other.peer.endpoints) {
    const requests = samplesOf(endpoint, bench);
    if (isRead(endpoint)) await agreeOnReads(ours, other, requests);
    else for (const request of requests) await agreeOnChanges(ours, other, request, data.eventsOf);
  }
  await data.restore();
}

/** The pipeline of the builds that wait to be canceled is the one whose counters are not 0. */
async function agreeOnCounters({ size }: Bench, ours: PeerServer, other: PeerServer): Promise<void> {
  // Whatever was kept of it before has to be forgotten by then.
  await pause(1_100);
  const [request] = requestsOf('cancel', size);
  const target = (request?.target ?? '').replace('/cancel', '');
  const { pipeline } = JSON.parse((await askOver(ours.url, { method: 'GET', target })).text);
  const counters = [pipeline.scheduled_builds_count, pipeline.scheduled_jobs_count, pipeline.running_builds_count];
  const expected = [size.cancelable, size.cancelable * stepsOfPipeline, 0];
  if (counters.join() !== expected.join()) throw new Error(`We count ${counters} where there are ${expected}`);
  await agreeOnReads(ours, other, [{ method: 'GET', target }]);
}

async function measured(bench: Bench, data: DataSet, servers: readonly PeerServer[]): Promise<Measured[]> {
  const results: Measured[] = [];
  for (const endpoint of endpoints) {
    const asked = servers.filter(({ peer }) => peer.endpoints.includes(endpoint));
    const requests = requestsOf(endpoint, bench.size);
    bench.progress.say(`${endpoint}: ${asked.map(({ name }) => name).join(', ')}`);
    const given = { ...bench, endpoint, servers: asked, requests, database: data.pid };
    const changing = isRead(endpoint) ? {} : { restore: data.restore };
    // A build can only be canceled once, so those that wait for it are asked for once.
    const time = (milliseconds: number) => (endpoint === 'cancel' ? 'asked' : milliseconds);
    // Ours is asked for everything once, so that all of it has been rendered; the others have nothing to keep.
    if (isRead(endpoint)) await contest({ ...given, servers: asked.slice(0, 1), rounds: 1, until: 'asked' });
    await contest({ ...given, ...changing, rounds: 1, until: time(bench.turn / 4) });
    results.push(...(await contest({ ...given, ...changing, until: time(bench.turn) })));
  }
  return results;
}

/** Our answers, for the server that has them at hand. */
async function constantsFrom(ours: PeerServer, { size }: Bench): Promise<NonNullable<Place['constants']>> {
  const constants: Record<string, string> = {};
  for (const endpoint of endpoints) {
    const [request] = requestsOf(endpoint, size);
    if (request === undefined) continue;
    const kind = kindOf(request.method, request.target);
    // What a change answers is a build that has not begun, such as those that wait to be canceled.
    const target = isRead(endpoint)
      ? request.target
      : (requestsOf('cancel', size)[0]?.target ?? '').replace('/cancel', '');
    constants[kind] = (await askOver(ours.url, { method: 'GET', target })).text;
  }
  return constants;
}
