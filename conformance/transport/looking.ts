import { ok, strictEqual } from 'node:assert';
import type { RawAnswer, RawRequest, Send } from './case.js';

/** The values of a header of that name, in any case. */
export const valuesOf = ({ headers }: RawAnswer, name: string): string[] =>
  headers.flatMap(([given, value]) => (given.toLowerCase() === name.toLowerCase() ? [value] : []));

export const textOf = ({ body }: RawAnswer): string => new TextDecoder().decode(body);

// biome-ignore lint/suspicious/noExplicitAny: cases look at the fields of what they have the API answer
export const jsonOf = (answer: RawAnswer): any => JSON.parse(textOf(answer));

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
export const last: [string, string] = ['Connection', 'close'];

/** Whatever happened before, the next request is answered. */
export async function stillAnswers(send: Send): Promise<void> {
  strictEqual((await send(get('/v2/still-here'))).status, 200);
}

/** Waits for what follows from something that has happened, for as long as it takes to answer some more requests. */
export async function eventually(what: string, send: Send, holds: () => boolean): Promise<void> {
  for (let patience = 200; patience > 0 && !holds(); patience -= 1) await stillAnswers(send);
  ok(holds(), `${what}, after 200 more requests still not`);
}
