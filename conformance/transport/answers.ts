import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { ApiResponse } from '../../core/ports/index.js';
import { type TransportCase, transportCase } from './case.js';
import { get, jsonOf, last, textOf, valuesOf } from './looking.js';
import { bytes, json, recordingApi } from './recording.js';

const port = 'transport: ApiResponse';

const plain = (body: readonly Uint8Array[], headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  status: 200,
  headers,
  body,
});

/** Bytes that differ from place to place, and repeat in no length that anybody would cut them by. */
function pattern(length: number, from: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let place = 0; place < length; place += 1) bytes[place] = ((from + place) * 31) % 251;
  return bytes;
}

/** What of an answer reaches the client. */
export const answerCases: readonly TransportCase[] = [
  transportCase('answer.status', [port], [], async (open) => {
    const send = await open(recordingApi(({ target }) => json(Number(target.slice(4)), { at: target })));
    for (const status of [200, 201, 202, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]) {
      const answer = await send(get(`/v2/${status}`));
      strictEqual(answer.status, status);
      deepStrictEqual(jsonOf(answer), { at: `/v2/${status}` });
    }
  }),

  transportCase('answer.headers', [port], [], async (open) => {
    const headers = {
      Link: '<https://ci.test/v2/x?page=2>; rel="next", <https://ci.test/v2/x?page=9>; rel="last"',
      'X-Request-Id': 'a.B-1',
      Allow: 'GET, HEAD, OPTIONS',
      'Content-Type': 'application/json; charset=utf-8',
    };
    const send = await open(recordingApi(() => json(200, {}, headers)));
    const answer = await send(get('/v2/x'));
    for (const [name, value] of Object.entries(headers)) deepStrictEqual(valuesOf(answer, name), [value], name);
  }),

  transportCase('answer.header-case', [port], ['header-case'], async (open) => {
    const headers = { 'X-Request-Id': '1', 'WWW-Authenticate': 'Bearer', 'x-lower': '2', 'Content-Type': 'a/b' };
    const send = await open(recordingApi(() => json(200, {}, headers)));
    const names = (await send(get('/v2/x'))).headers.map(([name]) => name);
    for (const name of [...Object.keys(headers), 'Content-Length']) ok(names.includes(name), `${name} in ${names}`);
  }),

  transportCase('answer.header-bytes', [port], [], async (open) => {
    const send = await open(recordingApi(() => json(200, {}, { 'X-Name': 'caf\u00e9 \u00c3\u00bc' })));
    deepStrictEqual(valuesOf(await send(get('/v2/x')), 'X-Name'), ['caf\u00e9 \u00c3\u00bc']);
  }),

  transportCase('answer.nothing-added', [port], [], async (open) => {
    const send = await open(recordingApi(() => plain([bytes('<p>')])));
    const answer = await send(get('/v2/x'));
    for (const name of ['Content-Type', 'Content-Encoding', 'ETag']) deepStrictEqual(valuesOf(answer, name), [], name);
    strictEqual(textOf(answer), '<p>');
  }),

  transportCase('answer.length', [port], [], async (open) => {
    const send = await open(
      recordingApi(({ target }) => plain(target === '/v2/one' ? [bytes('ü€')] : [bytes('ü'), bytes('€')])),
    );
    for (const target of ['/v2/one', '/v2/two']) {
      const answer = await send(get(target));
      deepStrictEqual(valuesOf(answer, 'Content-Length'), ['5'], target);
      strictEqual(textOf(answer), 'ü€');
    }
  }),

  transportCase('answer.chunks', [port], [], async (open) => {
    const chunks = ['[', '1', '', ',2', ',3', ']'].map(bytes);
    const send = await open(recordingApi(() => plain(chunks)));
    strictEqual(textOf(await send(get('/v2/x', last))), '[1,2,3]');
  }),

  transportCase('answer.large', [port], [], async (open) => {
    const chunks = Array.from({ length: 61 }, (_, number) => pattern(70_001, number));
    const send = await open(recordingApi(() => plain(chunks)));
    const { body } = await send(get('/v2/x', last));
    strictEqual(body.length, 61 * 70_001);
    ok(Buffer.concat(chunks).equals(body), 'the same bytes in the same order');
    ok(
      Buffer.from(pattern(70_001, 60)).equals(chunks[60] ?? bytes('')),
      'the chunks belong to the API, which may give them again',
    );
  }),

  transportCase('answer.empty', [port], [], async (open) => {
    const send = await open(recordingApi(({ target }) => plain(target === '/v2/none' ? [] : [new Uint8Array()])));
    for (const target of ['/v2/none', '/v2/one']) {
      const answer = await send(get(target, last));
      strictEqual(answer.status, 200);
      strictEqual(answer.body.length, 0);
      deepStrictEqual(valuesOf(answer, 'Content-Length'), ['0']);
      deepStrictEqual(valuesOf(answer, 'Content-Type'), []);
    }
  }),

  transportCase('answer.no-content', [port, 'decisions 1'], [], async (open) => {
    const send = await open(recordingApi(() => ({ status: 204, headers: { 'X-Request-Id': '1' }, body: [] })));
    for (const method of ['DELETE', 'OPTIONS']) {
      const answer = await send({ method, target: '/v2/x', headers: [last] });
      strictEqual(answer.status, 204);
      strictEqual(answer.body.length, 0);
      deepStrictEqual(valuesOf(answer, 'X-Request-Id'), ['1']);
      for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
        deepStrictEqual(valuesOf(answer, name), [], name);
    }
  }),

  transportCase('answer.head', [port, 'decisions 1'], [], async (open) => {
    const given = json(200, { a: 1 });
    const send = await open(recordingApi(({ target }) => (target === '/v2/x' ? { ...given, body: [] } : given)));
    for (const target of ['/v2/x', '/v2/with-a-body']) {
      const answer = await send({ method: 'HEAD', target, headers: [last] });
      strictEqual(answer.status, 200);
      strictEqual(answer.body.length, 0, 'no body');
      deepStrictEqual(valuesOf(answer, 'Content-Length'), ['7']);
      deepStrictEqual(valuesOf(answer, 'Content-Type'), ['application/json; charset=utf-8']);
    }
  }),

  transportCase('answer.head-of-unknown-length', [port], [], async (open) => {
    const send = await open(recordingApi(() => ({ status: 200, headers: { 'X-A': '1' }, body: [] })));
    const answer = await send({ method: 'HEAD', target: '/v2/x', headers: [last] });
    deepStrictEqual(valuesOf(answer, 'X-A'), ['1']);
    deepStrictEqual(valuesOf(answer, 'Content-Length'), [], 'nobody knows it');
    strictEqual(answer.body.length, 0);
  }),
];
