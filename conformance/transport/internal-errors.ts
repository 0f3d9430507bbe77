import { strictEqual } from 'node:assert';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { type TransportCase, transportCase } from './case.js';
import { bodyJson, bodyText, expectNextRequestServed, get, headerValues, post } from './messages.js';
import { bytes, json, recordingApi } from './recording-api.js';

const port = 'transport: HttpApi.handle';

/** An internal error becomes a 500 without details, and the process continues. */
const responds500 = (id: string, fail: () => ApiResponse): TransportCase =>
  transportCase(`mishap.${id}`, [port, 'decisions 1'], [], async (open) => {
    const send = await open(recordingApi(({ target }) => (target === '/v2/bad' ? fail() : json(200, {}))));
    for (const request of [get('/v2/bad'), post('/v2/bad', bytes('{}'))]) {
      const response = await send(request);
      strictEqual(response.status, 500);
      strictEqual(typeof bodyJson(response).message, 'string');
      strictEqual(headerValues(response, 'Content-Type')[0], 'application/json; charset=utf-8');
      strictEqual(headerValues(response, 'Access-Control-Allow-Origin')[0], '*');
      strictEqual(headerValues(response, 'X-Left-Over').length, 0);
      strictEqual(/secret/.test(bodyText(response)), false);
      await expectNextRequestServed(send);
    }
  });

export const internalErrorCases: readonly TransportCase[] = [
  responds500('rejects', () => {
    throw new Error('secret');
  }),
  responds500('header-with-a-line-break', () => json(200, {}, { 'X-Left-Over': '1', 'X-Bad': 'secret\r\nX-More: 1' })),
  responds500('header-beyond-bytes', () => json(200, {}, { 'X-Left-Over': '1', 'X-Bad': 'secret \u20ac' })),
  responds500('header-name-with-a-space', () => json(200, {}, { 'X-Left-Over': '1', 'X Bad': 'secret' })),
  responds500('status-that-is-none', () => json(99, 'secret')),

  transportCase('mishap.throws', [port], [], async (open) => {
    const api: HttpApi = {
      matches: () => true,
      handle() {
        throw new Error('secret');
      },
    };
    const send = await open(api);
    for (let twice = 0; twice < 2; twice += 1) strictEqual((await send(get('/v2/x'))).status, 500);
  }),
];
