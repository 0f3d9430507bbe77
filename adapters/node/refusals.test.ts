import test, { type ExecutionContext } from 'ava';
import type { HttpApi } from '../../core/ports/index.js';
import { echo, fakeApi, json, parseAnswers, signal, Wire } from './_fake-api.test.js';
import { type ServeOptions, serve } from './serve.js';

async function start(t: ExecutionContext, api: HttpApi = fakeApi(), options?: ServeOptions): Promise<number> {
  const server = await serve(api, options);
  t.teardown(() => server.close({ graceMs: 0 }));
  return server.port;
}

const quick: ServeOptions = { headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };

const isRefusal = (
  t: ExecutionContext,
  answer: ReturnType<typeof parseAnswers>[number] | undefined,
  status: number,
) => {
  t.is(answer?.status, status);
  t.is(typeof JSON.parse(answer?.body ?? '').message, 'string');
  t.is(answer?.headers['content-type'], 'application/json; charset=utf-8');
  t.is(answer?.headers['access-control-allow-origin'], '*');
  t.is(answer?.headers['access-control-expose-headers'], 'Link');
  t.is(answer?.headers.connection, 'close');
};

const malformed: Record<string, readonly [text: string, status: number]> = {
  'no HTTP at all': ['hello\r\n\r\n', 400],
  'a TLS handshake': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  'an unknown version': ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  'an unknown method': ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  'a space in the target': ['GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  'a header without a colon': ['GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
  'a length that is no number': ['POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n', 400],
  'two different lengths': ['POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  'length and chunks': ['POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  'headers too large': [`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  'a target too long': [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  'no Host': ['GET / HTTP/1.1\r\n\r\n', 400],
  'two Hosts': ['GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
  'an expectation that nobody meets': ['POST /v2 HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417],
  'a tunnel': ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  'a bad chunk in a body that is being read': [
    'POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  'chunk extensions too large': [
    `POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n`,
    413,
  ],
};

for (const [name, [text, status]] of Object.entries(malformed))
  test(`${name}: ${status}, JSON and the CORS headers, and nothing after it`, async (t) => {
    const wire = (await Wire.open(await start(t, fakeApi({ '/v2/x': echo })))).send(text);
    const answers = parseAnswers(await wire.rest());
    t.is(answers.length, 1);
    isRefusal(t, answers[0], status);
  });

test('HTTP/1.0 needs no Host', async (t) => {
  const wire = (await Wire.open(await start(t))).send('GET /v2/x HTTP/1.0\r\n\r\n');
  t.is(parseAnswers(await wire.rest())[0]?.status, 200);
});

test('garbage behind a good request: that gets its own answer first', async (t) => {
  const arrived = signal();
  const go = signal();
  const api = fakeApi({
    '/v2/slow': async () => {
      arrived.fire();
      await go.promise;
      return json(200, 'slow');
    },
  });
  const wire = (await Wire.open(await start(t, api))).send('GET /v2/slow HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n');
  await arrived.promise;
  t.is(wire.text, '');
  go.fire();
  const [good, refused, ...more] = parseAnswers(await wire.rest());
  t.is(good?.body, '"slow"');
  isRefusal(t, refused, 400);
  t.is(more.length, 0);
});

test('a bad chunk after the answer has begun: the connection closes without another word', async (t) => {
  const api = fakeApi({ '/v2/x': () => json(200, 'early') });
  const wire = await Wire.open(await start(t, api));
  wire.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await wire.until(/"early"/);
  const answers = parseAnswers(await wire.send('zz\r\n').rest());
  t.deepEqual(
    answers.map(({ status }) => status),
    [200],
  );
});

test('headers that do not come to an end in time: 408', async (t) => {
  const wire = (await Wire.open(await start(t, fakeApi(), quick))).send('GET / HTTP/1.1\r\nHost: x\r\nX-Slow');
  const [answer] = parseAnswers(await wire.rest());
  isRefusal(t, answer, 408);
});

test('a body that does not come to an end in time: 408, and reading it rejects', async (t) => {
  const outcome = signal<string>();
  const api = fakeApi({
    '/v2/x': async ({ body }) => {
      if ('parsed' in body) throw new Error('nobody parsed it');
      await body.read(100).catch(({ name }: Error) => outcome.fire(name));
      return json(200, 'for nobody');
    },
  });
  const wire = await Wire.open(await start(t, api, quick));
  wire.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
  const answers = parseAnswers(await wire.rest());
  t.is(answers.length, 1);
  isRefusal(t, answers[0], 408);
  t.is(await outcome.promise, 'AbortError');
});

test('50 stalled connections are all closed, those too that never said a word', async (t) => {
  const port = await start(t, fakeApi({ '/v2/x': echo }), quick);
  const beginnings = ['', 'G', 'GET / HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n'];
  beginnings.push('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc');
  const wires = await Promise.all(Array.from({ length: 50 }, () => Wire.open(port)));
  wires.forEach((wire, index) => void wire.send(beginnings[index % beginnings.length] ?? ''));
  const texts = await Promise.all(wires.map((wire) => wire.rest()));
  for (const text of texts) t.regex(text, /^HTTP\/1\.1 408 /);
});

test('a connection kept alive without a request is closed in time', async (t) => {
  const port = await start(t, fakeApi(), { keepAliveTimeout: 50 });
  const wire = (await Wire.open(port)).send('GET /v2/x HTTP/1.1\r\nHost: x\r\n\r\n');
  t.is(parseAnswers(await wire.rest())[0]?.headers.connection, 'keep-alive');
});

test('a client that stops reading its answer is cut off in time', async (t) => {
  const arrived = signal();
  const body = Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024));
  const api = fakeApi({
    '/v2/x': () => {
      arrived.fire();
      return { status: 200, headers: {}, body };
    },
  });
  const server = await serve(api, { idleTimeout: 80 });
  const ask = async (): Promise<Wire> => {
    const wire = (await Wire.open(server.port)).send('GET /v2/x HTTP/1.1\r\nHost: x\r\n\r\n');
    // Where others work as well, the connection may have been idle for too long before the request was read.
    const isTaken = await Promise.race([arrived.promise.then(() => true), wire.closed.then(() => false)]);
    return isTaken ? wire : ask();
  };
  const wire = await ask();
  wire.socket.pause();
  // With so much grace the server only comes to an end once it has cut the connection by itself.
  await server.close({ graceMs: 60_000 });
  wire.socket.resume();
  t.true((await wire.rest()).length < 64 * 1024 * 1024);
});
