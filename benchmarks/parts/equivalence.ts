import { isDeepStrictEqual } from 'node:util';
import { accessToken } from '../data/organization.js';
import type { LoadRequest } from '../load/load-spec.js';
import type { PeerServer } from '../servers/peer-server.js';

export interface PeerResponse {
  readonly status: number;
  readonly text: string;
  readonly link: string | null;
}

export async function fetchResponse(url: string, { method, target, body }: LoadRequest): Promise<PeerResponse> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text(), link: response.headers.get('link') };
}

/** Throws unless a peer's reads equal those of Millrace: the same `Link` and the same JSON, byte for byte if the peer claims that. */
export async function assertSameReads(
  ours: PeerServer,
  other: PeerServer,
  requests: readonly LoadRequest[],
): Promise<void> {
  for (const request of requests) {
    const [expectedResponse, actualResponse] = [
      await fetchResponse(ours.url, request),
      await fetchResponse(other.url, request),
    ];
    const description = `${other.name} answers ${request.target}`;
    if (actualResponse.status !== expectedResponse.status)
      throw new Error(`${description} with ${actualResponse.status}, Millrace with ${expectedResponse.status}`);
    assertSameBody(description, expectedResponse.text, actualResponse.text, other.peer.equality === 'bytes');
    if (!sameLink(expectedResponse.link, actualResponse.link))
      throw new Error(`${description} with Link ${actualResponse.link}, Millrace with ${expectedResponse.link}`);
  }
}

/** Throws unless a peer's reads have the same content, for a peer without the same `Link` header. */
export async function assertSameContent(
  ours: PeerServer,
  other: PeerServer,
  requests: readonly LoadRequest[],
): Promise<void> {
  for (const request of requests) {
    const [expectedResponse, actualResponse] = [
      await fetchResponse(ours.url, request),
      await fetchResponse(other.url, request),
    ];
    assertSameBody(`${other.name} answers ${request.target}`, expectedResponse.text, actualResponse.text, false);
  }
}

/**
 * Throws unless a peer's changes equal those of Millrace: its response must be what Millrace then reads, with the same events.
 * Counters are not compared here, because they may be one second old; those of reads are.
 */
export async function assertSameChanges(
  ours: PeerServer,
  other: PeerServer,
  request: LoadRequest,
  eventsOf: (buildId: string) => Promise<readonly string[]>,
): Promise<void> {
  const actualResponse = await fetchResponse(other.url, request);
  const description = `${other.name} answers ${request.method} ${request.target}`;
  if (actualResponse.status >= 300)
    throw new Error(`${description} with ${actualResponse.status} ${actualResponse.text}`);
  const build = JSON.parse(actualResponse.text) as { id: string; url: string; state: string };
  const expectedResponse = await fetchResponse(ours.url, { method: 'GET', target: new URL(build.url).pathname });
  assertSameBody(description, withoutCounters(expectedResponse.text), withoutCounters(actualResponse.text), false);
  const events = (await eventsOf(build.id)).join();
  const expected = [`build.${build.state}`, ...Array.from({ length: 4 }, () => `job.${build.state}`)].join();
  if (events !== expected) throw new Error(`${description} and inserts the events ${events} instead of ${expected}`);
}

function assertSameBody(description: string, expectedResponse: string, actualResponse: string, bytes: boolean): void {
  if (expectedResponse === actualResponse) return;
  if (bytes)
    throw new Error(
      `${description} with other bytes than Millrace: ${firstDifference(expectedResponse, actualResponse)}`,
    );
  if (!isDeepStrictEqual(JSON.parse(actualResponse), JSON.parse(expectedResponse))) {
    throw new Error(
      `${description} with other content than Millrace: ${firstDifference(normalizedJson(expectedResponse), normalizedJson(actualResponse))}`,
    );
  }
}

const normalizedJson = (text: string): string => JSON.stringify(JSON.parse(text));

/** Whether two `Link` headers are equal, in whatever order their queries name the parameters. */
const sameLink = (expectedResponse: string | null, actualResponse: string | null): boolean => {
  const parsed = (link: string | null) =>
    (link ?? '')
      .split(', ')
      .map((one) => one.replace(/\?([^>]*)>/, (_, query: string) => `?${query.split('&').sort().join('&')}>`));
  return isDeepStrictEqual(parsed(expectedResponse), parsed(actualResponse));
};

const withoutCounters = (text: string): string => text.replace(/,"\w+_(builds|jobs)_count":\d+/g, '');

function firstDifference(expectedResponse: string, actualResponse: string): string {
  let offset = 0;
  while (expectedResponse[offset] === actualResponse[offset]) offset += 1;
  const around = (text: string) => text.slice(Math.max(0, offset - 60), offset + 60);
  return `at ${offset}, Millrace …${around(expectedResponse)}… and the peer …${around(actualResponse)}…`;
}
