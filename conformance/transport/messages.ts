import { ok, strictEqual } from 'node:assert';
import type { RawRequest, RawResponse, Send } from './case.js';

/** The values of a header of that name, in any case. */
export const headerValues = ({ headers }: RawResponse, name: string): string[] =>
  headers.flatMap(([headerName, value]) => (headerName.toLowerCase() === name.toLowerCase() ? [value] : []));

export const bodyText = ({ body }: RawResponse): string => new TextDecoder().decode(body);

// biome-ignore lint/suspicious/noExplicitAny: cases look at the fields of what they have the API answer
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

/** An answer after which nothing more comes, so that what comes too much can be told from the next answer. */
export const connectionClose: [string, string] = ['Connection', 'close'];

/** Whatever happened before, the next request is answered. */
export async function expectNextRequestServed(send: Send): Promise<void> {
  strictEqual((await send(get('/v2/still-here'))).status, 200);
}

/** Waits for what follows from something that has happened, for as long as it takes to answer some more requests. */
export async function eventually(what: string, send: Send, condition: () => boolean): Promise<void> {
  for (let attempts = 200; attempts > 0 && !condition(); attempts -= 1) await expectNextRequestServed(send);
  ok(condition(), `${what}, after 200 more requests still not`);
}
