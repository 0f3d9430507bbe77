import { gzipSync } from 'node:zlib';
import { bodyParser } from '@koa/bodyparser';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import mount from 'koa-mount';
import { bytes, deferred, echo, json, recordingApi } from '../../conformance/transport/recording-api.js';
import { RawConnection } from '../../test/support/stub-api.js';
import { listenOnFreePort } from '../../test/support/transport.js';
import { serveListener } from '../node/index.js';
import { koaMiddleware, serveKoa } from './index.js';

async function start(t: ExecutionContext, app: Koa): Promise<string> {
  const { port, close } = await listenOnFreePort(app.callback());
  t.teardown(close);
  return `http://127.0.0.1:${port}`;
}

test('a prefix that koa-mount has stripped is not stripped again, at any depth', async (t) => {
  const api = recordingApi();
  const inner = new Koa().use(mount('/ci', koaMiddleware(api, { prefix: '/ci' })));
  const url = await start(t, new Koa().use(mount('/api', inner)));
  t.is((await fetch(`${url}/api/ci/v2/x?y=1`)).status, 200);
  t.is(api.seen[0]?.target, '/v2/x?y=1');
});

test('a prefix below a path of koa-mount is stripped by the transport', async (t) => {
  const api = recordingApi();
  const url = await start(t, new Koa().use(mount('/api', koaMiddleware(api, { prefix: '/ci' }))));
  t.is((await fetch(`${url}/api/ci/v2/x`)).status, 200);
  t.is((await fetch(`${url}/api/v2/x`)).status, 404);
  t.deepEqual(
    api.seen.map(({ target }) => target),
    ['/v2/x'],
  );
});

test('outer middleware sees the response and may change it', async (t) => {
  const seen: unknown[] = [];
  const app = new Koa();
  app.use(async (ctx, next) => {
    ctx.set('X-Early', 'host');
    await next();
    seen.push(ctx.status, ctx.type, ctx.length);
    ctx.set('X-Late', 'host');
  });
  app.use(koaMiddleware(recordingApi(() => json(201, {}))));
  const response = await fetch(`${await start(t, app)}/v2/x`);
  t.deepEqual(seen, [201, 'application/json', 2]);
  t.is(response.headers.get('x-early'), 'host');
  t.is(response.headers.get('x-late'), 'host');
});

test('outer middleware gets the chunks of a response as one body and may replace it', async (t) => {
  const app = new Koa();
  app.use(async (ctx, next) => {
    await next();
    t.is(ctx.length, 4);
    ctx.body = gzipSync(ctx.body as Buffer);
    ctx.set('Content-Encoding', 'gzip');
  });
  app.use(koaMiddleware(recordingApi(() => ({ status: 200, headers: {}, body: [bytes('ab'), bytes('cd')] }))));
  t.is(await (await fetch(`${await start(t, app)}/v2/x`)).text(), 'abcd');
});

test("the client address is Koa's ctx.ip", async (t) => {
  const api = recordingApi();
  const app = new Koa({ proxy: true });
  const url = await start(t, app.use(koaMiddleware(api)));
  await fetch(`${url}/v2/x`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
  t.is(api.seen[0]?.remoteAddress, '203.0.113.7');
});

test('errors of outer middleware still reach the application', async (t) => {
  const errors: Error[] = [];
  const app = new Koa().on('error', (error) => errors.push(error));
  app.use(async (_ctx, next) => {
    await next();
    throw Object.assign(new Error('the host'), { code: 'ECONNRESET' });
  });
  const url = await start(t, app.use(koaMiddleware(recordingApi())));
  t.is((await fetch(`${url}/v2/x`)).status, 500);
  t.is(errors[0]?.message, 'the host');
});

test('a client that reads only after sending its whole body still receives the 413', async (t) => {
  const url = await start(t, new Koa().use(koaMiddleware(recordingApi(echo))));
  const connection = await RawConnection.open(Number(new URL(url).port));
  connection.socket.pause();
  connection.send('POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n');
  await new Promise((resolve) => connection.socket.write(Buffer.alloc(8_000_000), resolve));
  connection.socket.resume();
  t.regex(await connection.waitFor(/large"}$/), /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/);
});

const requestExpectingContinue = 'POST /v2/x HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nExpect: 100-continue\r\n';
const jsonType = 'Content-Type: application/json\r\n';

test('100 Continue is sent when the API or a body parser before it reads the body', async (t) => {
  const parsing = new Koa().use(bodyParser()).use(koaMiddleware(recordingApi(echo)));
  const servers = [serveKoa(recordingApi(echo)), serveListener(parsing.callback())];
  for (const server of await Promise.all(servers)) {
    const connection = (await RawConnection.open(server.port)).send(`${requestExpectingContinue}${jsonType}\r\n`);
    t.is(await connection.waitFor(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
    t.regex(await connection.send('{"a":1}').waitFor(/\}$/), /"bytes":\[123,|"parsed":\{"a":1\}/);
    await server.close({ graceMs: 0 });
  }
});

test('100 Continue is not sent when the body is not read, and the connection closes', async (t) => {
  const server = await serveKoa(recordingApi(() => json(401, {})));
  const connection = (await RawConnection.open(server.port)).send(`${requestExpectingContinue}\r\n`);
  t.regex(await connection.waitFor(/\{\}$/), /^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/);
  connection.socket.end();
  await connection.closed;
  await server.close();
});

test('close completes a response under way, with Connection: close', async (t) => {
  const arrived = deferred();
  const released = deferred();
  const api = recordingApi(async () => {
    arrived.fire();
    await released.promise;
    return { status: 200, headers: {}, body: [bytes('a'), bytes('b')] };
  });
  const server = await serveKoa(api, { prefix: '/ci' });
  t.is(server.url, `http://127.0.0.1:${server.port}/ci`);
  const pending = fetch(`${server.url}/v2/x`);
  await arrived.promise;
  const closing = server.close({ graceMs: 60_000 });
  released.fire();
  const response = await pending;
  t.is(response.headers.get('connection'), 'close');
  t.is(await response.text(), 'ab');
  await closing;
});
