import test, { type ExecutionContext } from 'ava';
import type { HttpApi } from '../../core/ports/index.js';
import { deferred, echo, json, parseResponses, RawConnection, stubApi } from '../../test/support/stub-api.js';
import { serve } from './serve.js';
import type { ServeOptions } from './serve-options.js';

async function start(t: ExecutionContext, api: HttpApi, options?: ServeOptions): Promise<number> {
  const server = await serve(api, options);
  t.teardown(() => server.close({ graceMs: 0 }));
  return server.port;
}

/** Sends the text at once and returns the responses when the connection has closed. */
async function exchange(port: number, text: string) {
  const connection = (await RawConnection.open(port)).send(text);
  return parseResponses(await connection.readToEnd());
}

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const connectionClose = 'Connection: close';

test('pipelined requests are answered in order, even when the first is slow', async (t) => {
  const second = deferred();
  const api = stubApi({
    '/v2/slow': async () => {
      await second.promise;
      return json(200, 'slow');
    },
    '/v2/quick': () => {
      second.fire();
      return json(200, 'quick');
    },
  });
  const responses = await exchange(await start(t, api), get('/v2/slow') + get('/v2/quick', connectionClose));
  t.deepEqual(
    responses.map(({ body }) => body),
    ['"slow"', '"quick"'],
  );
});

test('a chunked body in small pieces arrives complete', async (t) => {
  const connection = await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })));
  connection.send(`POST /v2/x HTTP/1.1\r\nHost: x\r\n${connectionClose}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (const piece of ['2\r\nhe\r\n', '3\r\nllo\r', '\n0\r\n\r\n']) connection.send(piece);
  t.deepEqual(parseResponses(await connection.readToEnd())[0]?.body, '{"text":"hello"}');
});

test('a declared body over the limit is rejected unread, and the connection closes', async (t) => {
  const connection = await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })));
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n');
  const [response] = parseResponses(await connection.waitFor(/large"}$/));
  t.is(response?.status, 413);
  t.is(response?.headers.connection, 'close');
  connection.socket.end();
  await connection.closed;
});

test('a client that never stops sending gets its response and is disconnected', async (t) => {
  const connection = await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })));
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const sendMore = (): void => {
    while (!connection.socket.destroyed && connection.socket.write(piece)) {}
  };
  connection.socket.on('drain', sendMore);
  sendMore();
  const [response] = parseResponses(await connection.readToEnd());
  t.is(response?.status, 413);
  t.is(response?.headers.connection, 'close');
});

test('a client that reads only after sending its whole body still receives the 413', async (t) => {
  const connection = await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })));
  connection.socket.pause();
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n');
  const sent = deferred<unknown>();
  connection.socket.write(Buffer.alloc(8_000_000), sent.fire);
  t.falsy(await sent.promise);
  connection.socket.resume();
  t.is(parseResponses(await connection.waitFor(/large"}$/))[0]?.status, 413);
});

test('a client disconnect does not cause an unhandled rejection when the API reads the body without awaiting it', async (t) => {
  const done = deferred();
  const api = stubApi({
    '/v2/x': async ({ body, signal }) => {
      if ('read' in body) void body.read(1000);
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      done.fire();
      return json(200, 'unused');
    },
  });
  const connection = (await RawConnection.open(await start(t, api))).send(
    'POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc',
  );
  while (api.seen.length === 0) await new Promise(setImmediate);
  connection.socket.destroy();
  await done.promise;
  t.pass();
});

test('a small unread body leaves the connection reusable', async (t) => {
  const port = await start(t, stubApi());
  const connection = (await RawConnection.open(port)).send(
    'POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n',
  );
  await connection.waitFor(/\}\}$/);
  const responses = parseResponses(await connection.send(`body${get('/v2/y', connectionClose)}`).readToEnd());
  t.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  );
  t.is(responses[0]?.headers.connection, 'keep-alive');
});

test('repeated headers are joined, including those of which Node keeps only one', async (t) => {
  const port = await start(t, stubApi());
  const twice = [
    'Authorization: Bearer a',
    'authorization: Bearer b',
    'X-A: 1',
    'x-a: 2',
    '__proto__: x',
    connectionClose,
  ];
  const [response] = await exchange(port, get('/v2/x', ...twice));
  const { headers } = JSON.parse(response?.body ?? '');
  t.is(headers.authorization, 'Bearer a, Bearer b');
  t.is(headers['x-a'], '1, 2');
});

test('targets of every form reach the API as sent', async (t) => {
  const port = await start(t, stubApi());
  const seen = async (line: string) => {
    const [response] = await exchange(port, `${line} HTTP/1.1\r\nHost: x\r\n${connectionClose}\r\n\r\n`);
    return JSON.parse(response?.body ?? '').target;
  };
  t.is(await seen('GET http://other.example/v2/x?y=1'), '/v2/x?y=1');
  t.is(await seen('OPTIONS *'), '*');
  t.is(await seen('GET //host/v2'), '//host/v2');
  t.is(await seen('GET /v2/../x'), '/v2/../x');
  t.is(await seen('GET /v2/%zz'), '/v2/%zz');
});

test('an upgrade request is answered like any other', async (t) => {
  const port = await start(t, stubApi());
  const connection = (await RawConnection.open(port)).send(get('/v2/x', 'Connection: Upgrade', 'Upgrade: websocket'));
  t.regex(await connection.waitFor(/\}\}$/), /^HTTP\/1.1 200 /);
  connection.socket.destroy();
});

const requestExpectingContinue = (length: number, ...headers: string[]) =>
  ['POST /v2/x HTTP/1.1', 'Host: x', `Content-Length: ${length}`, 'Expect: 100-continue', ...headers, '', ''].join(
    '\r\n',
  );

test('100 Continue is sent when the API reads the body', async (t) => {
  const connection = await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })));
  connection.send(requestExpectingContinue(5, connectionClose));
  t.is(await connection.waitFor(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
  const [, response] = parseResponses(await connection.send('hello').readToEnd());
  t.is(response?.body, '{"text":"hello"}');
});

test('100 Continue is not sent when the API does not read the body, and the connection closes', async (t) => {
  const api = stubApi({ '/v2/x': () => json(401, {}) });
  const connection = (await RawConnection.open(await start(t, api))).send(requestExpectingContinue(5));
  const [response] = parseResponses(await connection.waitFor(/\{\}$/));
  t.is(response?.status, 401);
  t.is(response?.headers.connection, 'close');
  connection.socket.end();
  await connection.closed;
});

test('100 Continue is not sent for a body that is too large', async (t) => {
  const connection = (await RawConnection.open(await start(t, stubApi({ '/v2/x': echo })))).send(
    requestExpectingContinue(5000),
  );
  t.is(parseResponses(await connection.waitFor(/large"}$/))[0]?.status, 413);
  connection.socket.destroy();
});

test('a client that disconnects in the middle of its body: reading rejects, the signal aborts, the server goes on', async (t) => {
  const reading = deferred();
  const outcome = deferred<unknown>();
  const api = stubApi({
    '/v2/x': async ({ body, signal }) => {
      if ('parsed' in body) throw new Error('the body must not be parsed');
      reading.fire();
      const error: Error = await body.read(1000).then(
        () => new Error('the body was read to its end'),
        (reason) => reason,
      );
      outcome.fire([error.name, signal?.aborted]);
      return json(200, 'unused');
    },
  });
  const port = await start(t, api);
  const connection = (await RawConnection.open(port)).send(
    'POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc',
  );
  await reading.promise;
  connection.socket.destroy();
  t.deepEqual(await outcome.promise, ['AbortError', true]);
  t.is((await exchange(port, get('/v2/y', connectionClose)))[0]?.status, 200);
});

test('a client that disconnects before its response aborts the signal of every request on the connection', async (t) => {
  const arrived = deferred();
  const aborted: Promise<unknown>[] = [];
  const api = stubApi({
    '/v2/x': ({ signal }) => {
      const abort = new Promise((resolve) => signal?.addEventListener('abort', resolve));
      if (aborted.push(abort) === 2) arrived.fire();
      return abort.then(() => json(200, {}));
    },
  });
  const connection = (await RawConnection.open(await start(t, api))).send(get('/v2/x') + get('/v2/x'));
  await arrived.promise;
  connection.socket.destroy();
  await Promise.all(aborted);
  t.is(aborted.length, 2);
});
