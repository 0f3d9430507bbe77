import test, { type ExecutionContext } from 'ava';
import { deferred, parseResponses, RawConnection } from '../../test/support/stub-api.js';
import { serveListener } from './serve.js';
import { type WebHandler, webListener } from './web-listener.js';

async function start(t: ExecutionContext, handler: WebHandler): Promise<number> {
  const server = await serveListener(webListener(handler));
  t.teardown(() => server.close({ graceMs: 0 }));
  return server.port;
}

const get = (target: string, host = 'x') => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

async function exchange(port: number, text: string) {
  const connection = (await RawConnection.open(port)).send(text);
  return parseResponses(await connection.readToEnd());
}

test('a handler receives the requested URL and the address of the client', async (t) => {
  const seen: unknown[] = [];
  const port = await start(t, ({ url, method }, address) => {
    seen.push(url, method, address);
    return new Response(null, { headers: { 'Content-Length': '0' } });
  });
  await exchange(port, get('/v2/x?y=1', 'ci.test:81'));
  await exchange(port, get('//other/v2', 'ci.test'));
  await exchange(port, 'OPTIONS * HTTP/1.1\r\nHost: ci.test\r\nConnection: close\r\n\r\n');
  t.deepEqual(seen, [
    ...['http://ci.test:81/v2/x?y=1', 'GET', '127.0.0.1'],
    ...['http://ci.test//other/v2', 'GET', '127.0.0.1'],
    ...['http://ci.test/*', 'OPTIONS', '127.0.0.1'],
  ]);
});

test('a request that a fetch Request cannot represent is 400', async (t) => {
  const port = await start(t, () => new Response());
  for (const text of [get('/', 'a b'), get('/', 'x:y'), 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n']) {
    const [response] = await exchange(port, text);
    t.is(response?.status, 400, text);
    t.deepEqual(JSON.parse(response?.body ?? ''), { message: 'Malformed HTTP request' });
  }
});

test('Set-Cookie headers are not joined', async (t) => {
  const port = await start(t, () => {
    const headers = new Headers({ 'Content-Length': '0' });
    headers.append('Set-Cookie', 'a=1');
    headers.append('Set-Cookie', 'b=2');
    return new Response(null, { headers });
  });
  const text = await (await RawConnection.open(port)).send(get('/')).readToEnd();
  t.is(text.match(/^set-cookie: /gim)?.length, 2);
});

test('a handler that throws is a 500; a body that fails midway closes the connection', async (t) => {
  const failing = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(5));
      controller.error(new Error('secret'));
    },
  });
  const port = await start(t, ({ url }) => {
    if (url.endsWith('/throws')) throw new Error('secret');
    return new Response(failing, { headers: { 'Content-Length': '10' } });
  });
  t.is((await exchange(port, get('/throws')))[0]?.status, 500);
  t.notRegex(await (await RawConnection.open(port)).send(get('/fails')).readToEnd(), /secret/);
});

test('the body stream is pulled only as fast as a slow client reads', async (t) => {
  let pulled = 0;
  const port = await start(t, () => {
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1;
          if (pulled === 200) controller.close();
          else controller.enqueue(new Uint8Array(1024 * 1024));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body);
  });
  const connection = await RawConnection.open(port);
  connection.send(get('/'));
  await connection.waitFor(/\r\n\r\n/);
  connection.socket.pause();
  for (let iterations = 0; iterations < 1000; iterations += 1) await new Promise(setImmediate);
  t.true(pulled < 100, `${pulled} MB were pulled`);
  connection.socket.destroy();
});

test('the body stream is canceled when the client disconnects', async (t) => {
  const cancelled = deferred();
  const port = await start(t, () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
      cancel: () => cancelled.fire(),
    });
    return new Response(body);
  });
  const connection = (await RawConnection.open(port)).send(get('/'));
  await connection.waitFor(/\r\n\r\n/);
  connection.socket.destroy();
  await cancelled.promise;
  t.pass();
});

const requestExpectingContinue = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';

test('100 Continue is sent only when the handler reads the body', async (t) => {
  const port = await start(
    t,
    async (request) => new Response(await request.text(), { headers: { 'Content-Length': '5' } }),
  );
  const reading = (await RawConnection.open(port)).send(requestExpectingContinue);
  t.is(await reading.waitFor(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
  t.regex(await reading.send('hello').waitFor(/hello$/), /HTTP\/1\.1 200 /);
  const other = await start(t, () => new Response('no', { status: 401, headers: { 'Content-Length': '2' } }));
  const ignoring = (await RawConnection.open(other)).send(requestExpectingContinue);
  t.regex(await ignoring.waitFor(/no$/), /^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/);
  ignoring.socket.end();
  await ignoring.closed;
});

test('a client that reads only after sending its whole body still receives the 413', async (t) => {
  const port = await start(t, async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return new Response('large', { status: 413, headers: { 'Content-Length': '5' } });
  });
  const connection = await RawConnection.open(port);
  connection.socket.pause();
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n');
  await new Promise((resolve) => connection.socket.write(Buffer.alloc(8_000_000), resolve));
  connection.socket.resume();
  t.regex(await connection.waitFor(/large$/), /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/);
});
