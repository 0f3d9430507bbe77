import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { ApiRequest } from '../../core/ports/index.js';
import { type TransportCase, transportCase } from './case.js';
import { bodyJson, connectionClose, expectNextRequestServed, get, post } from './messages.js';
import { bodyLimit, bytes, echo, json, recordingApi } from './recording-api.js';

const port = 'transport: RequestBody';

const all = Uint8Array.from({ length: 256 }, (_, value) => value);
const jsonType: [string, string] = ['Content-Type', 'application/json'];

/** Echoes bodies that are sent to `/v2/x`, and does not read others. */
const echoApi = () => recordingApi((request) => (request.target === '/v2/x' ? echo(request) : json(200, {})));

const read = (body: ApiRequest['body'], most: number): Promise<Uint8Array | 'too_large'> => {
  ok('read' in body, 'the body is not parsed');
  return body.read(most);
};

/** Request bodies reach the API unchanged. */
export const requestBodyCases: readonly TransportCase[] = [
  transportCase('body.with-length', [port], [], async (open) => {
    const send = await open(echoApi());
    deepStrictEqual(bodyJson(await send(post('/v2/x', all))), { bytes: [...all] });
    deepStrictEqual(bodyJson(await send({ ...post('/v2/x', bytes('{}')), method: 'DELETE' })), { bytes: [0x7b, 0x7d] });
  }),

  transportCase('body.in-chunks', [port], [], async (open) => {
    const send = await open(echoApi());
    const pieces = [all.slice(0, 1), all.slice(1, 200), all.slice(200)];
    deepStrictEqual(bodyJson(await send(post('/v2/x', pieces))), { bytes: [...all] });
  }),

  transportCase('body.json-is-not-parsed', [port], [], async (open) => {
    const send = await open(echoApi());
    deepStrictEqual(bodyJson(await send(post('/v2/x', bytes('{"a":1}'), jsonType))), { bytes: [...bytes('{"a":1}')] });
    deepStrictEqual(bodyJson(await send(post('/v2/x', bytes('{"a'), jsonType))), { bytes: [...bytes('{"a')] });
    const form: [string, string] = ['Content-Type', 'application/x-www-form-urlencoded'];
    deepStrictEqual(bodyJson(await send(post('/v2/x', bytes('{"a":1}'), form))), { bytes: [...bytes('{"a":1}')] });
  }),

  transportCase('body.empty', [port, 'decisions 1'], [], async (open) => {
    const send = await open(echoApi());
    const empty = [
      { method: 'POST', target: '/v2/x' },
      { method: 'PUT', target: '/v2/x' },
      { method: 'PUT', target: '/v2/x', headers: [jsonType] },
      post('/v2/x', new Uint8Array(), jsonType),
      post('/v2/x', []),
    ];
    for (const request of empty) deepStrictEqual(bodyJson(await send(request)), { bytes: [] });
  }),

  transportCase('body.limit', [port], [], async (open) => {
    const send = await open(echoApi());
    const [fits, over] = [new Uint8Array(bodyLimit), new Uint8Array(bodyLimit + 1)];
    for (const body of [fits, [fits]]) strictEqual((await send(post('/v2/x', body))).status, 200);
    for (const body of [over, [over], [fits, Uint8Array.of(1)], new Uint8Array(3_000_000)]) {
      strictEqual((await send(post('/v2/x', body))).status, 413);
      await expectNextRequestServed(send);
    }
  }),

  transportCase('body.asked-for-twice', [port], [], async (open) => {
    const send = await open(
      recordingApi(async ({ body }) => {
        const both = await Promise.all([read(body, bodyLimit), read(body, bodyLimit)]);
        const again = await read(body, bodyLimit);
        return json(
          200,
          [...both, again].map((one) => [...one].join()),
        );
      }),
    );
    for (const body of [bytes('abc'), [bytes('a'), bytes('bc')]])
      deepStrictEqual(bodyJson(await send(post('/v2/x', body))), Array(3).fill('97,98,99'));
  }),

  transportCase('body.not-asked-for', [port], [], async (open) => {
    const send = await open(echoApi());
    for (const body of [bytes('abc'), [bytes('a'), bytes('bc')], new Uint8Array(1_000_000)]) {
      strictEqual((await send(post('/v2/unread', body))).status, 200);
      await expectNextRequestServed(send);
    }
  }),

  transportCase('body.asked-for-late', [port], [], async (open) => {
    const api = recordingApi(async (request) => {
      if (request.target !== '/v2/late') return json(200, {});
      // The body arrives long before the API reads it.
      while (api.seen.length < 5) await new Promise((resolve) => setImmediate(resolve));
      return echo(request);
    });
    const send = await open(api);
    const late = send(post('/v2/late', [bytes('a'), bytes('bc')]));
    while (api.seen.length < 1) await new Promise((resolve) => setImmediate(resolve));
    for (let more = 0; more < 4; more += 1) await expectNextRequestServed(send);
    deepStrictEqual(bodyJson(await late), { bytes: [97, 98, 99] });
  }),

  transportCase('body.parsed-by-the-host', [port], ['body-parser'], async (open) => {
    const send = await open(echoApi(), { bodyParser: true });
    for (const value of [{ a: [1, null, 'ü'] }, {}, []]) {
      const body = bytes(JSON.stringify(value));
      deepStrictEqual(bodyJson(await send(post('/v2/x', body, jsonType))), { parsed: value });
      deepStrictEqual(bodyJson(await send(post('/v2/x', [body], jsonType))), { parsed: value });
    }
    strictEqual((await send(get('/v2/y', connectionClose))).status, 200);
  }),

  transportCase('body.not-for-the-parser', [port], ['body-parser'], async (open) => {
    const send = await open(echoApi(), { bodyParser: true });
    const csv: [string, string] = ['Content-Type', 'text/csv'];
    deepStrictEqual(bodyJson(await send(post('/v2/x', bytes('a,b'), csv))), { bytes: [...bytes('a,b')] });
    deepStrictEqual(bodyJson(await send(post('/v2/x', bytes('{}')))), { bytes: [...bytes('{}')] });
    // A missing body may arrive as no bytes or as an empty object. The core treats both the same.
    const { bytes: read = [], parsed = {} } = bodyJson(await send({ method: 'POST', target: '/v2/x' }));
    deepStrictEqual([read, parsed], [[], {}]);
  }),
];
