import { strictEqual } from 'node:assert';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { type TransportCase, transportCase } from './case.js';
import { get, jsonOf, post, stillAnswers, textOf, valuesOf } from './looking.js';
import { bytes, json, recordingApi } from './recording.js';

const port = 'transport: HttpApi.handle';

/** What goes wrong inside is a plain 500 outside, and the process lives on. */
const answers500 = (id: string, mishap: () => ApiResponse): TransportCase =>
  transportCase(`mishap.${id}`, [port, 'decisions 1'], [], async (open) => {
    const send = await open(recordingApi(({ target }) => (target === '/v2/bad' ? mishap() : json(200, {}))));
    for (const request of [get('/v2/bad'), post('/v2/bad', bytes('{}'))]) {
      const answer = await send(request);
      strictEqual(answer.status, 500);
      strictEqual(typeof jsonOf(answer).message, 'string');
      strictEqual(valuesOf(answer, 'Content-Type')[0], 'application/json; charset=utf-8');
      strictEqual(valuesOf(answer, 'Access-Control-Allow-Origin')[0], '*');
      strictEqual(valuesOf(answer, 'X-Left-Over').length, 0);
      strictEqual(/secret/.test(textOf(answer)), false);
      await stillAnswers(send);
    }
  });

export const mishapCases: readonly TransportCase[] = [
  answers500('rejects', () => {
    throw new Error('secret');
  }),
  answers500('header-with-a-line-break', () => json(200, {}, { 'X-Left-Over': '1', 'X-Bad': 'secret\r\nX-More: 1' })),
  answers500('header-beyond-bytes', () => json(200, {}, { 'X-Left-Over': '1', 'X-Bad': 'secret \u20ac' })),
  answers500('header-name-with-a-space', () => json(200, {}, { 'X-Left-Over': '1', 'X Bad': 'secret' })),
  answers500('status-that-is-none', () => json(99, 'secret')),

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
