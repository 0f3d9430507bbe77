import { ok, rejects, strictEqual } from 'node:assert';
import { type TransportCase, transportCase } from './case.js';
import { connectionClose, eventually, expectNextRequestServed, get, post } from './messages.js';
import { bodyLimit, bytes, deferred, json, recordingApi } from './recording-api.js';

const port = 'transport: ApiRequest.signal';

/** Clients that close the connection before the response is complete. */
export const clientAbortCases: readonly TransportCase[] = [
  transportCase('leaving.before-the-answer', [port], [], async (open) => {
    const arrived = deferred();
    const left = deferred();
    let aborted = false;
    const send = await open(
      recordingApi(async ({ target, signal: gone }) => {
        if (target !== '/v2/slow') return json(200, {});
        gone?.addEventListener('abort', () => {
          aborted = true;
        });
        arrived.fire();
        await left.promise;
        return json(200, 'not read');
      }),
    );
    const abortController = new AbortController();
    const sending = send(get('/v2/slow'), abortController.signal);
    const outcome = rejects(sending);
    await arrived.promise;
    abortController.abort();
    await outcome;
    await eventually('the signal aborts when the client closes the connection', send, () => aborted);
    left.fire();
    await expectNextRequestServed(send);
  }),

  transportCase('leaving.in-the-body', [port, 'transport: RequestBody'], ['sockets'], async (open) => {
    let reading = deferred();
    let outcome = '';
    const api = recordingApi(async ({ body, target }) => {
      if (target === '/v2/still-here') return json(200, {});
      ok('read' in body);
      const whole = body.read(bodyLimit);
      reading.fire();
      outcome = await whole.then(
        () => 'an incomplete body was treated as complete',
        () => 'rejected',
      );
      return json(200, 'not read');
    });
    const send = await open(api);
    for (const body of [bytes('abc'), [bytes('abc')]]) {
      outcome = '';
      reading = deferred();
      const abortController = new AbortController();
      const gone = rejects(send({ ...post('/v2/x', body), unfinished: true }, abortController.signal));
      await reading.promise;
      abortController.abort();
      await gone;
      await eventually('reading the body ends', send, () => outcome !== '');
      strictEqual(outcome, 'rejected');
    }
  }),

  transportCase('leaving.in-the-answer', [port], ['sockets'], async (open) => {
    const chunks = Array.from({ length: 64 }, () => new Uint8Array(1024 * 1024));
    const abortController = new AbortController();
    const send = await open(
      recordingApi(({ target }) => {
        if (target !== '/v2/large') return json(200, {});
        setImmediate(() => abortController.abort());
        return { status: 200, headers: {}, body: chunks };
      }),
    );
    await rejects(send(get('/v2/large'), abortController.signal));
    await expectNextRequestServed(send);
  }),

  transportCase('leaving.after-the-answer', [port], [], async (open) => {
    const states: (boolean | undefined)[] = [];
    const api = recordingApi(({ signal: gone }) => {
      states.push(gone?.aborted);
      return json(200, {});
    });
    const send = await open(api);
    await send(get('/v2/x', connectionClose));
    for (let more = 0; more < 5; more += 1) await expectNextRequestServed(send);
    strictEqual(states[0], false, 'not aborted when the request arrives');
    strictEqual(api.seen[0]?.signal?.aborted, false, 'not aborted after the response');
  }),
];
