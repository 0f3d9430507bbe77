import { ok, rejects, strictEqual } from 'node:assert';
import { type TransportCase, transportCase } from './case.js';
import { eventually, get, last, post, stillAnswers } from './looking.js';
import { bytes, json, limit, recordingApi, signal } from './recording.js';

const port = 'transport: ApiRequest.signal';

/** Clients that hang up. */
export const leavingCases: readonly TransportCase[] = [
  transportCase('leaving.before-the-answer', [port], [], async (open) => {
    const arrived = signal();
    const left = signal();
    let aborted = false;
    const send = await open(
      recordingApi(async ({ target, signal: gone }) => {
        if (target !== '/v2/slow') return json(200, {});
        gone?.addEventListener('abort', () => {
          aborted = true;
        });
        arrived.fire();
        await left.promise;
        return json(200, 'for nobody');
      }),
    );
    const leave = new AbortController();
    const sending = send(get('/v2/slow'), leave.signal);
    const outcome = rejects(sending);
    await arrived.promise;
    leave.abort();
    await outcome;
    await eventually('the signal aborts when the client has gone', send, () => aborted);
    left.fire();
    await stillAnswers(send);
  }),

  transportCase('leaving.in-the-body', [port, 'transport: RequestBody'], ['sockets'], async (open) => {
    let reading = signal();
    let outcome = '';
    const api = recordingApi(async ({ body, target }) => {
      if (target === '/v2/still-here') return json(200, {});
      ok('read' in body);
      const whole = body.read(limit);
      reading.fire();
      outcome = await whole.then(
        () => 'half a body passed for a whole one',
        () => 'rejected',
      );
      return json(200, 'for nobody');
    });
    const send = await open(api);
    for (const body of [bytes('abc'), [bytes('abc')]]) {
      outcome = '';
      reading = signal();
      const leave = new AbortController();
      const gone = rejects(send({ ...post('/v2/x', body), unfinished: true }, leave.signal));
      await reading.promise;
      leave.abort();
      await gone;
      await eventually('reading comes to an end', send, () => outcome !== '');
      strictEqual(outcome, 'rejected');
    }
  }),

  transportCase('leaving.in-the-answer', [port], ['sockets'], async (open) => {
    const chunks = Array.from({ length: 64 }, () => new Uint8Array(1024 * 1024));
    const leave = new AbortController();
    const send = await open(
      recordingApi(({ target }) => {
        if (target !== '/v2/large') return json(200, {});
        setImmediate(() => leave.abort());
        return { status: 200, headers: {}, body: chunks };
      }),
    );
    await rejects(send(get('/v2/large'), leave.signal));
    await stillAnswers(send);
  }),

  transportCase('leaving.after-the-answer', [port], [], async (open) => {
    const states: (boolean | undefined)[] = [];
    const api = recordingApi(({ signal: gone }) => {
      states.push(gone?.aborted);
      return json(200, {});
    });
    const send = await open(api);
    await send(get('/v2/x', last));
    for (let more = 0; more < 5; more += 1) await stillAnswers(send);
    strictEqual(states[0], false, 'not aborted when it comes');
    strictEqual(api.seen[0]?.signal?.aborted, false, 'not aborted when the answer is out');
  }),
];
