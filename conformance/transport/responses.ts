import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { ApiResponse } from '../../core/ports/index.js';
import { type TransportCase, transportCase } from './case.js';
import { bodyJson, bodyText, connectionClose, get, headerValues } from './messages.js';
import { bytes, json, recordingApi } from './recording-api.js';

const port = 'transport: ApiResponse';

const rawResponse = (body: readonly Uint8Array[], headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  status: 200,
  headers,
  body,
});

/** Bytes without a period, so that lost or swapped chunks of any size are detected. */
function patternBytes(length: number, from: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = ((from + index) * 31) % 251;
  return bytes;
}

/** Status, headers and body of a response reach the client unchanged. */
export const responseCases: readonly TransportCase[] = [
  transportCase('answer.status', [port], [], async (open) => {
    const send = await open(recordingApi(({ target }) => json(Number(target.slice(4)), { at: target })));
    for (const status of [200, 201, 202, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]) {
      const response = await send(get(`/v2/${status}`));
      strictEqual(response.status, status);
      deepStrictEqual(bodyJson(response), { at: `/v2/${status}` });
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
    const response = await send(get('/v2/x'));
    for (const [name, value] of Object.entries(headers)) deepStrictEqual(headerValues(response, name), [value], name);
  }),

  transportCase('answer.header-case', [port], ['header-case'], async (open) => {
    const headers = { 'X-Request-Id': '1', 'WWW-Authenticate': 'Bearer', 'x-lower': '2', 'Content-Type': 'a/b' };
    const send = await open(recordingApi(() => json(200, {}, headers)));
    const names = (await send(get('/v2/x'))).headers.map(([name]) => name);
    for (const name of [...Object.keys(headers), 'Content-Length']) ok(names.includes(name), `${name} in ${names}`);
  }),

  transportCase('answer.header-bytes', [port], [], async (open) => {
    const send = await open(recordingApi(() => json(200, {}, { 'X-Name': 'caf\u00e9 \u00c3\u00bc' })));
    deepStrictEqual(headerValues(await send(get('/v2/x')), 'X-Name'), ['caf\u00e9 \u00c3\u00bc']);
  }),

  transportCase('answer.nothing-added', [port], [], async (open) => {
    const send = await open(recordingApi(() => rawResponse([bytes('<p>')])));
    const response = await send(get('/v2/x'));
    for (const name of ['Content-Type', 'Content-Encoding', 'ETag'])
      deepStrictEqual(headerValues(response, name), [], name);
    strictEqual(bodyText(response), '<p>');
  }),

  transportCase('answer.length', [port], [], async (open) => {
    const send = await open(
      recordingApi(({ target }) => rawResponse(target === '/v2/one' ? [bytes('ü€')] : [bytes('ü'), bytes('€')])),
    );
    for (const target of ['/v2/one', '/v2/two']) {
      const response = await send(get(target));
      deepStrictEqual(headerValues(response, 'Content-Length'), ['5'], target);
      strictEqual(bodyText(response), 'ü€');
    }
  }),

  transportCase('answer.chunks', [port], [], async (open) => {
    const chunks = ['[', '1', '', ',2', ',3', ']'].map(bytes);
    const send = await open(recordingApi(() => rawResponse(chunks)));
    strictEqual(bodyText(await send(get('/v2/x', connectionClose))), '[1,2,3]');
  }),

  transportCase('answer.large', [port], [], async (open) => {
    const chunks = Array.from({ length: 61 }, (_, number) => patternBytes(70_001, number));
    const send = await open(recordingApi(() => rawResponse(chunks)));
    const { body } = await send(get('/v2/x', connectionClose));
    strictEqual(body.length, 61 * 70_001);
    ok(Buffer.concat(chunks).equals(body), 'the same bytes in the same order');
    ok(
      Buffer.from(patternBytes(70_001, 60)).equals(chunks[60] ?? bytes('')),
      'the transport must not change the chunks, because the API may send them again',
    );
  }),

  transportCase('answer.empty', [port], [], async (open) => {
    const send = await open(recordingApi(({ target }) => rawResponse(target === '/v2/none' ? [] : [new Uint8Array()])));
    for (const target of ['/v2/none', '/v2/one']) {
      const response = await send(get(target, connectionClose));
      strictEqual(response.status, 200);
      strictEqual(response.body.length, 0);
      deepStrictEqual(headerValues(response, 'Content-Length'), ['0']);
      deepStrictEqual(headerValues(response, 'Content-Type'), []);
    }
  }),

  transportCase('answer.no-content', [port, 'decisions 1'], [], async (open) => {
    const send = await open(recordingApi(() => ({ status: 204, headers: { 'X-Request-Id': '1' }, body: [] })));
    for (const method of ['DELETE', 'OPTIONS']) {
      const response = await send({ method, target: '/v2/x', headers: [connectionClose] });
      strictEqual(response.status, 204);
      strictEqual(response.body.length, 0);
      deepStrictEqual(headerValues(response, 'X-Request-Id'), ['1']);
      for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding'])
        deepStrictEqual(headerValues(response, name), [], name);
    }
  }),

  transportCase('answer.head', [port, 'decisions 1'], [], async (open) => {
    const response = json(200, { a: 1 });
    const send = await open(recordingApi(({ target }) => (target === '/v2/x' ? { ...response, body: [] } : response)));
    for (const target of ['/v2/x', '/v2/with-a-body']) {
      const response = await send({ method: 'HEAD', target, headers: [connectionClose] });
      strictEqual(response.status, 200);
      strictEqual(response.body.length, 0, 'no body');
      deepStrictEqual(headerValues(response, 'Content-Length'), ['7']);
      deepStrictEqual(headerValues(response, 'Content-Type'), ['application/json; charset=utf-8']);
    }
  }),

  transportCase('answer.head-of-unknown-length', [port], [], async (open) => {
    const send = await open(recordingApi(() => ({ status: 200, headers: { 'X-A': '1' }, body: [] })));
    const response = await send({ method: 'HEAD', target: '/v2/x', headers: [connectionClose] });
    deepStrictEqual(headerValues(response, 'X-A'), ['1']);
    deepStrictEqual(headerValues(response, 'Content-Length'), [], 'the length is unknown');
    strictEqual(response.body.length, 0);
  }),
];
