import { ok, strictEqual } from 'node:assert';
import type { RawRequest, RawResponse, Send } from './case.js';

/** The values of a header. Names are compared case-insensitively. */
export const headerValues = ({ headers }: RawResponse, name: string): string[] =>
  headers.flatMap(([headerName, value]) => (headerName.toLowerCase() === name.toLowerCase() ? [value] : []));

export const bodyText = ({ body }: RawResponse): string => new TextDecoder().decode(body);

// biome-ignore lint/suspicious/noExplicitAny: the cases know the bodies of their own APIs
export const bodyJson = (response: RawResponse): any => JSON.parse(bodyText(response));

export const get = (target: string, ...headers: [name: string, value: string][]): RawRequest => ({
  method: 'GET',
  target,
  headers,
});

export const post = (
  target: string,
  body: Uint8Array | readonly Uint8Array[],
  ...headers: [name: string, value: string][]
): RawRequest => ({ method: 'POST', target, headers, body });

/** Closes the connection after the response, so that surplus bytes are not taken for the next response. */
export const connectionClose: [string, string] = ['Connection', 'close'];

/** Expects that the next request is answered. */
export async function expectNextRequestServed(send: Send): Promise<void> {
  strictEqual((await send(get('/v2/still-here'))).status, 200);
}

/** Waits until a condition holds, for at most the time of 200 further requests. */
export async function eventually(what: string, send: Send, condition: () => boolean): Promise<void> {
  for (let attempts = 200; attempts > 0 && !condition(); attempts -= 1) await expectNextRequestServed(send);
  ok(condition(), `not after 200 more requests: ${what}`);
}
