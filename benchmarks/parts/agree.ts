import { isDeepStrictEqual } from 'node:util';
import { accessToken } from '../data/organization.js';
import type { Request } from '../load/job.js';
import type { PeerServer } from '../servers/peer-server.js';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly link: string | null;
}

export async function askOver(url: string, { method, target, body }: Request): Promise<Answered> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, text: await answer.text(), link: answer.headers.get('link') };
}

/** Throws unless a peer answers reads as we do: the same JSON with the same `Link`, byte for byte where it claims that. */
export async function agreeOnReads(ours: PeerServer, other: PeerServer, requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    const [mine, its] = [await askOver(ours.url, request), await askOver(other.url, request)];
    const told = `${other.name} answers ${request.target}`;
    if (its.status !== mine.status) throw new Error(`${told} with ${its.status} where we say ${mine.status}`);
    agree(told, mine.text, its.text, other.peer.equal === 'bytes');
    if (!sameLink(mine.link, its.link)) throw new Error(`${told} with Link ${its.link} where ours is ${mine.link}`);
  }
}

/** The same for a peer that knows nothing of `Link`, and only has to have the content. */
export async function agreeOnContent(ours: PeerServer, other: PeerServer, requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    const [mine, its] = [await askOver(ours.url, request), await askOver(other.url, request)];
    agree(`${other.name} answers ${request.target}`, mine.text, its.text, false);
  }
}

/**
 * Throws unless a peer's changes are those that we make: its answer is what we then read of the build, and it has announced
 * the same. The counters are left out here, since they may be a second old; those of reads are compared.
 */
export async function agreeOnChanges(
  ours: PeerServer,
  other: PeerServer,
  request: Request,
  eventsOf: (buildId: string) => Promise<readonly string[]>,
): Promise<void> {
  const its = await askOver(other.url, request);
  const told = `${other.name} answers ${request.method} ${request.target}`;
  if (its.status >= 300) throw new Error(`${told} with ${its.status} ${its.text}`);
  const build = JSON.parse(its.text) as { id: string; url: string; state: string };
  const mine = await askOver(ours.url, { method: 'GET', target: new URL(build.url).pathname });
  agree(told, withoutCounters(mine.text), withoutCounters(its.text), false);
  const events = (await eventsOf(build.id)).join();
  const expected = [`build.${build.state}`, ...Array.from({ length: 4 }, () => `job.${build.state}`)].join();
  if (events !== expected) throw new Error(`${told} and announces ${events} instead of ${expected}`);
}

function agree(told: string, mine: string, its: string, bytes: boolean): void {
  if (mine === its) return;
  if (bytes) throw new Error(`${told} with other bytes than we do: ${firstDifference(mine, its)}`);
  if (!isDeepStrictEqual(JSON.parse(its), JSON.parse(mine))) {
    throw new Error(`${told} with another content than ours: ${firstDifference(spelled(mine), spelled(its))}`);
  }
}

const spelled = (text: string): string => JSON.stringify(JSON.parse(text));

/** Queries may name their parameters in any order. */
const sameLink = (mine: string | null, its: string | null): boolean => {
  const parsed = (link: string | null) =>
    (link ?? '')
      .split(', ')
      .map((one) => one.replace(/\?([^>]*)>/, (_, query: string) => `?${query.split('&').sort().join('&')}>`));
  return isDeepStrictEqual(parsed(mine), parsed(its));
};

const withoutCounters = (text: string): string => text.replace(/,"\w+_(builds|jobs)_count":\d+/g, '');

function firstDifference(mine: string, its: string): string {
  let at = 0;
  while (mine[at] === its[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `at ${at}, ours …${around(mine)}… and theirs …${around(its)}…`;
}
