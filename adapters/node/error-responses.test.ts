import test, { type ExecutionContext } from 'ava';
import type { HttpApi } from '../../core/ports/index.js';
import { deferred, echo, json, parseResponses, RawConnection, stubApi } from '../../test/support/stub-api.js';
import { serve } from './serve.js';
import type { ServeOptions } from './serve-options.js';

async function start(t: ExecutionContext, api: HttpApi = stubApi(), options?: ServeOptions): Promise<number> {
  const server = await serve(api, options);
  t.teardown(() => server.close({ graceMs: 0 }));
  return server.port;
}

const shortTimeouts: ServeOptions = { headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };

const assertErrorResponse = (
  t: ExecutionContext,
  response: ReturnType<typeof parseResponses>[number] | undefined,
  status: number,
) => {
  t.is(response?.status, status);
  t.is(typeof JSON.parse(response?.body ?? '').message, 'string');
  t.is(response?.headers['content-type'], 'application/json; charset=utf-8');
  t.is(response?.headers['access-control-allow-origin'], '*');
  t.is(response?.headers['access-control-expose-headers'], 'Link');
  t.is(response?.headers.connection, 'close');
};

const malformedRequests: Record<string, readonly [text: string, status: number]> = {
  'not HTTP': ['hello\r\n\r\n', 400],
  'a TLS handshake': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  'an unknown version': ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  'an unknown method': ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  'a space in the target': ['GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  'a header without a colon': ['GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
  'a negative length': ['POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n', 400],
  'two different lengths': ['POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  'length and chunks': ['POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  'headers too large': [`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  'a target too long': [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  'no Host': ['GET / HTTP/1.1\r\n\r\n', 400],
  'two Hosts': ['GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
  'an unknown expectation': ['POST /v2 HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417],
  CONNECT: ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  'a bad chunk in a body that is being read': [
    'POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  'chunk extensions too large': [
    `POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n`,
    413,
  ],
};

for (const [name, [text, status]] of Object.entries(malformedRequests))
  test(`${name}: one ${status} response in JSON with the CORS headers`, async (t) => {
    const connection = (await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })))).send(text);
    const responses = parseResponses(await connection.readToEnd());
    t.is(responses.length, 1);
    assertErrorResponse(t, responses[0], status);
  });

test('HTTP/1.0 needs no Host', async (t) => {
  const connection = (await RawConnection.open(await start(t))).send('GET /v2/x HTTP/1.0\r\n\r\n');
  t.is(parseResponses(await connection.readToEnd())[0]?.status, 200);
});

test('garbage after a valid request: the valid request is answered first', async (t) => {
  const arrived = deferred();
  const go = deferred();
  const api = stubApi({
    '/v2/slow': async () => {
      arrived.fire();
      await go.promise;
      return json(200, 'slow');
    },
  });
  const connection = (await RawConnection.open(await start(t, api))).send(
    'GET /v2/slow HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n',
  );
  await arrived.promise;
  t.is(connection.received, '');
  go.fire();
  const [first, rejected, ...others] = parseResponses(await connection.readToEnd());
  t.is(first?.body, '"slow"');
  assertErrorResponse(t, rejected, 400);
  t.is(others.length, 0);
});

test('a bad chunk after the response has begun: the connection closes without a second response', async (t) => {
  const api = stubApi({ '/v2/x': () => json(200, 'early') });
  const connection = await RawConnection.open(await start(t, api));
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await connection.waitFor(/"early"/);
  const responses = parseResponses(await connection.send('zz\r\n').readToEnd());
  t.deepEqual(
    responses.map(({ status }) => status),
    [200],
  );
});

test('headers that are not complete in time: 408', async (t) => {
  const connection = (await RawConnection.open(await start(t, stubApi(), shortTimeouts))).send(
    'GET / HTTP/1.1\r\nHost: x\r\nX-Slow',
  );
  const [response] = parseResponses(await connection.readToEnd());
  assertErrorResponse(t, response, 408);
});

test('a body that is not complete in time: 408, and reading the body rejects', async (t) => {
  const outcome = deferred<string>();
  const api = stubApi({
    '/v2/x': async ({ body }) => {
      if ('parsed' in body) throw new Error('the body must not be parsed');
      await body.read(100).catch(({ name }: Error) => outcome.fire(name));
      return json(200, 'unused');
    },
  });
  const connection = await RawConnection.open(await start(t, api, shortTimeouts));
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
  const responses = parseResponses(await connection.readToEnd());
  t.is(responses.length, 1);
  assertErrorResponse(t, responses[0], 408);
  t.is(await outcome.promise, 'AbortError');
});

test('50 stalled connections are all closed, including those that sent nothing', async (t) => {
  const port = await start(t, stubApi({ '/v2/x': echo }), shortTimeouts);
  const beginnings = ['', 'G', 'GET / HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n'];
  beginnings.push('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc');
  const connections = await Promise.all(Array.from({ length: 50 }, () => RawConnection.open(port)));
  connections.forEach((connection, index) => void connection.send(beginnings[index % beginnings.length] ?? ''));
  const texts = await Promise.all(connections.map((connection) => connection.readToEnd()));
  for (const text of texts) t.regex(text, /^HTTP\/1\.1 408 /);
});

test('an idle keep-alive connection is closed after keepAliveTimeout', async (t) => {
  const port = await start(t, stubApi(), { keepAliveTimeout: 50 });
  const connection = (await RawConnection.open(port)).send('GET /v2/x HTTP/1.1\r\nHost: x\r\n\r\n');
  t.is(parseResponses(await connection.readToEnd())[0]?.headers.connection, 'keep-alive');
});

test('a client that stops reading its response is disconnected after idleTimeout', async (t) => {
  const arrived = deferred();
  const body = Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024));
  const api = stubApi({
    '/v2/x': () => {
      arrived.fire();
      return { status: 200, headers: {}, body };
    },
  });
  const server = await serve(api, { idleTimeout: 80 });
  const request = async (): Promise<RawConnection> => {
    const connection = (await RawConnection.open(server.port)).send('GET /v2/x HTTP/1.1\r\nHost: x\r\n\r\n');
    // On a busy machine the connection may reach the idle timeout before the server reads the request.
    const isAccepted = await Promise.race([arrived.promise.then(() => true), connection.closed.then(() => false)]);
    return isAccepted ? connection : request();
  };
  const connection = await request();
  connection.socket.pause();
  // With this grace period, close() resolves only because the idle timeout destroys the connection.
  await server.close({ graceMs: 60_000 });
  connection.socket.resume();
  t.true((await connection.readToEnd()).length < 64 * 1024 * 1024);
});
