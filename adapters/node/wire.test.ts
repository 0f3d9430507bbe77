import test, { type ExecutionContext } from 'ava';
import type { HttpApi } from '../../core/ports/index.js';
import { echo, fakeApi, json, parseAnswers, signal, Wire } from './_fake-api.test.js';
import { type ServeOptions, serve } from './serve.js';

async function start(t: ExecutionContext, api: HttpApi, options?: ServeOptions): Promise<number> {
  const server = await serve(api, options);
  t.teardown(() => server.close({ graceMs: 0 }));
  return server.port;
}

/** Sends all of it at once and returns the answers, with the connection closed at the end. */
async function talk(port: number, text: string) {
  const wire = (await Wire.open(port)).send(text);
  return parseAnswers(await wire.rest());
}

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const last = 'Connection: close';

test('pipelined requests are answered in their order, however long the first takes', async (t) => {
  const second = signal();
  const api = fakeApi({
    '/v2/slow': async () => {
      await second.promise;
      return json(200, 'slow');
    },
    '/v2/quick': () => {
      second.fire();
      return json(200, 'quick');
    },
  });
  const answers = await talk(await start(t, api), get('/v2/slow') + get('/v2/quick', last));
  t.deepEqual(
    answers.map(({ body }) => body),
    ['"slow"', '"quick"'],
  );
});

test('a chunked body in small pieces arrives whole', async (t) => {
  const wire = await Wire.open(await start(t, fakeApi({ '/v2/x': echo })));
  wire.send(`POST /v2/x HTTP/1.1\r\nHost: x\r\n${last}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (const piece of ['2\r\nhe\r\n', '3\r\nllo\r', '\n0\r\n\r\n']) wire.send(piece);
  t.deepEqual(parseAnswers(await wire.rest())[0]?.body, '{"text":"hello"}');
});

test('a declared body over the limit is refused before any of it is read, and the connection closes', async (t) => {
  const wire = await Wire.open(await start(t, fakeApi({ '/v2/x': echo })));
  wire.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n');
  const [answer] = parseAnswers(await wire.until(/large"}$/));
  t.is(answer?.status, 413);
  t.is(answer?.headers.connection, 'close');
  wire.socket.end();
  await wire.closed;
});

test('a client that never stops sending gets its answer and is cut off', async (t) => {
  const wire = await Wire.open(await start(t, fakeApi({ '/v2/x': echo })));
  wire.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const more = (): void => {
    while (!wire.socket.destroyed && wire.socket.write(piece)) {}
  };
  wire.socket.on('drain', more);
  more();
  const [answer] = parseAnswers(await wire.rest());
  t.is(answer?.status, 413);
  t.is(answer?.headers.connection, 'close');
});

test('a client that only listens once it has said everything still learns that it was too much', async (t) => {
  const wire = await Wire.open(await start(t, fakeApi({ '/v2/x': echo })));
  wire.socket.pause();
  wire.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n');
  const said = signal<unknown>();
  wire.socket.write(Buffer.alloc(8_000_000), said.fire);
  t.falsy(await said.promise);
  wire.socket.resume();
  t.is(parseAnswers(await wire.until(/large"}$/))[0]?.status, 413);
});

test('a body that the API began to read and then forgot does no harm when its client goes away', async (t) => {
  const done = signal();
  const api = fakeApi({
    '/v2/x': async ({ body, signal: gone }) => {
      if ('read' in body) void body.read(1000);
      await new Promise((resolve) => gone?.addEventListener('abort', resolve));
      done.fire();
      return json(200, 'for nobody');
    },
  });
  const wire = (await Wire.open(await start(t, api))).send(
    'POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc',
  );
  while (api.seen.length === 0) await new Promise(setImmediate);
  wire.socket.destroy();
  await done.promise;
  t.pass();
});

test('a small body that nobody asked for does not cost the connection', async (t) => {
  const port = await start(t, fakeApi());
  const wire = (await Wire.open(port)).send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n');
  await wire.until(/\}\}$/);
  const answers = parseAnswers(await wire.send(`body${get('/v2/y', last)}`).rest());
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  t.is(answers[0]?.headers.connection, 'keep-alive');
});

test('headers that come twice are joined, those too of which Node drops one', async (t) => {
  const port = await start(t, fakeApi());
  const twice = ['Authorization: Bearer a', 'authorization: Bearer b', 'X-A: 1', 'x-a: 2', '__proto__: x', last];
  const [answer] = await talk(port, get('/v2/x', ...twice));
  const { headers } = JSON.parse(answer?.body ?? '');
  t.is(headers.authorization, 'Bearer a, Bearer b');
  t.is(headers['x-a'], '1, 2');
});

test('targets reach the API as they came, whatever their form', async (t) => {
  const port = await start(t, fakeApi());
  const seen = async (line: string) => {
    const [answer] = await talk(port, `${line} HTTP/1.1\r\nHost: x\r\n${last}\r\n\r\n`);
    return JSON.parse(answer?.body ?? '').target;
  };
  t.is(await seen('GET http://other.example/v2/x?y=1'), '/v2/x?y=1');
  t.is(await seen('OPTIONS *'), '*');
  t.is(await seen('GET //host/v2'), '//host/v2');
  t.is(await seen('GET /v2/../x'), '/v2/../x');
  t.is(await seen('GET /v2/%zz'), '/v2/%zz');
});

test('a request to upgrade is answered as any other', async (t) => {
  const port = await start(t, fakeApi());
  const wire = (await Wire.open(port)).send(get('/v2/x', 'Connection: Upgrade', 'Upgrade: websocket'));
  t.regex(await wire.until(/\}\}$/), /^HTTP\/1.1 200 /);
  wire.socket.destroy();
});

const expecting = (length: number, ...headers: string[]) =>
  ['POST /v2/x HTTP/1.1', 'Host: x', `Content-Length: ${length}`, 'Expect: 100-continue', ...headers, '', ''].join(
    '\r\n',
  );

test('100 Continue is sent when the body is wanted', async (t) => {
  const wire = await Wire.open(await start(t, fakeApi({ '/v2/x': echo })));
  wire.send(expecting(5, last));
  t.is(await wire.until(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
  const [, answer] = parseAnswers(await wire.send('hello').rest());
  t.is(answer?.body, '{"text":"hello"}');
});

test('100 Continue is not sent when the body is not wanted, and the connection closes', async (t) => {
  const api = fakeApi({ '/v2/x': () => json(401, {}) });
  const wire = (await Wire.open(await start(t, api))).send(expecting(5));
  const [answer] = parseAnswers(await wire.until(/\{\}$/));
  t.is(answer?.status, 401);
  t.is(answer?.headers.connection, 'close');
  wire.socket.end();
  await wire.closed;
});

test('100 Continue is not sent for a body that is too large', async (t) => {
  const wire = (await Wire.open(await start(t, fakeApi({ '/v2/x': echo })))).send(expecting(5000));
  t.is(parseAnswers(await wire.until(/large"}$/))[0]?.status, 413);
  wire.socket.destroy();
});

test('a client that goes away in the middle of its body: reading rejects, the signal aborts, nothing crashes', async (t) => {
  const reading = signal();
  const outcome = signal<unknown>();
  const api = fakeApi({
    '/v2/x': async ({ body, signal: gone }) => {
      if ('parsed' in body) throw new Error('nobody parsed it');
      reading.fire();
      const error: Error = await body.read(1000).then(
        () => new Error('it was read'),
        (reason) => reason,
      );
      outcome.fire([error.name, gone?.aborted]);
      return json(200, 'for nobody');
    },
  });
  const port = await start(t, api);
  const wire = (await Wire.open(port)).send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
  await reading.promise;
  wire.socket.destroy();
  t.deepEqual(await outcome.promise, ['AbortError', true]);
  t.is((await talk(port, get('/v2/y', last)))[0]?.status, 200);
});

test('a client that goes away before its answer aborts the signal, on every request of the connection', async (t) => {
  const arrived = signal();
  const aborted: Promise<unknown>[] = [];
  const api = fakeApi({
    '/v2/x': ({ signal: gone }) => {
      const abort = new Promise((resolve) => gone?.addEventListener('abort', resolve));
      if (aborted.push(abort) === 2) arrived.fire();
      return abort.then(() => json(200, {}));
    },
  });
  const wire = (await Wire.open(await start(t, api))).send(get('/v2/x') + get('/v2/x'));
  await arrived.promise;
  wire.socket.destroy();
  await Promise.all(aborted);
  t.is(aborted.length, 2);
});
