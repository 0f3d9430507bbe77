import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'ava';
import {
  deferred,
  json,
  parseResponses,
  portOf,
  RawConnection,
  type StubHandler,
  stubApi,
} from '../../test/support/stub-api.js';
import { serve } from './serve.js';

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A response that is sent when the test calls `release`. */
function heldResponse(): { handler: StubHandler; arrived: Promise<void>; release: () => void } {
  const arrived = deferred();
  const released = deferred();
  const handler: StubHandler = async () => {
    arrived.fire();
    await released.promise;
    return json(200, 'slow');
  };
  return { handler, arrived: arrived.promise, release: () => released.fire() };
}

test('listens on a free port of the loopback address by default, and returns its url', async (t) => {
  const server = await serve(stubApi());
  t.is(server.url, `http://127.0.0.1:${server.port}`);
  t.true(server.port > 0);
  t.is((await fetch(`${server.url}/v2/x`)).status, 200);
  await server.close();
  await t.throwsAsync(fetch(`${server.url}/v2/x`));
});

test('the url of a server on all addresses is reachable and contains the prefix', async (t) => {
  const server = await serve(stubApi(), { host: '0.0.0.0', prefix: '/ci/' });
  t.is(server.url, `http://127.0.0.1:${server.port}/ci`);
  t.like(await (await fetch(`${server.url}/v2/x`)).json(), { target: '/v2/x' });
  t.is((await fetch(`http://127.0.0.1:${server.port}/v2/x`)).status, 404);
  await server.close();
});

test('a port in use rejects with a clear message', async (t) => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const port = portOf(occupied.address());
  await t.throwsAsync(serve(stubApi(), { port }), {
    message: `Port ${port} on 127.0.0.1 is already in use`,
    code: 'EADDRINUSE',
  });
  occupied.close();
});

test('a foreign address, an invalid prefix and an invalid port reject', async (t) => {
  await t.throwsAsync(serve(stubApi(), { host: '203.0.113.1' }), { code: 'EADDRNOTAVAIL' });
  await t.throwsAsync(serve(stubApi(), { prefix: 'ci' }), { instanceOf: TypeError });
  await t.throwsAsync(serve(stubApi(), { port: 70_000 }), { instanceOf: TypeError, message: /option "port" must be/ });
});

test('each timeout can be set alone: the dependent ones follow', async (t) => {
  for (const options of [
    { headersTimeout: 100_000 },
    { requestTimeout: 1000 },
    { requestTimeout: 0 },
    { headersTimeout: 0 },
  ])
    await t.notThrowsAsync(async () => (await serve(stubApi(), options)).close());
});

test('close ends idle connections at once, including keep-alive ones', async (t) => {
  const server = await serve(stubApi());
  const silent = await RawConnection.open(server.port);
  const keptAlive = (await RawConnection.open(server.port)).send(get('/v2/x'));
  await keptAlive.waitFor(/\}\}$/);
  await server.close({ graceMs: 60_000 });
  await Promise.all([silent.closed, keptAlive.closed]);
  t.pass();
});

test('close lets requests under way finish, closes their connections and accepts no new ones', async (t) => {
  const slow = heldResponse();
  const server = await serve(stubApi({ '/v2/slow': slow.handler }));
  const connection = (await RawConnection.open(server.port)).send(get('/v2/slow'));
  await slow.arrived;
  const closing = server.close({ graceMs: 60_000 });
  await t.throwsAsync(RawConnection.open(server.port), { code: 'ECONNREFUSED' });
  slow.release();
  const [response] = parseResponses(await connection.readToEnd());
  t.is(response?.body, '"slow"');
  t.is(response?.headers.connection, 'close');
  await closing;
});

test('close does not cut a response that a slow client is still reading', async (t) => {
  const body = Array.from({ length: 16 }, () => Buffer.alloc(1024 * 1024, 'x'));
  const server = await serve(stubApi({ '/v2/x': () => ({ status: 200, headers: {}, body }) }));
  const connection = (await RawConnection.open(server.port)).send(get('/v2/x'));
  await connection.waitFor(/^HTTP\/1.1 200 /);
  connection.socket.pause();
  const closing = server.close({ graceMs: 60_000 });
  connection.socket.resume();
  const [response] = parseResponses(await connection.readToEnd());
  t.is(response?.body.length, 16 * 1024 * 1024);
  await closing;
});

test('connections left after the grace period are destroyed', async (t) => {
  const slow = heldResponse();
  const api = stubApi({ '/v2/slow': slow.handler });
  const server = await serve(api);
  const connection = (await RawConnection.open(server.port)).send(get('/v2/slow'));
  await slow.arrived;
  await server.close({ graceMs: 30 });
  t.is(await connection.readToEnd(), '');
  t.true(api.seen[0]?.signal?.aborted);
  slow.release();
});

test('a second close waits for the first', async (t) => {
  const slow = heldResponse();
  const server = await serve(stubApi({ '/v2/slow': slow.handler }));
  const connection = (await RawConnection.open(server.port)).send(get('/v2/slow'));
  await slow.arrived;
  const first = server.close({ graceMs: 60_000 });
  const second = server.close({ graceMs: 0 });
  slow.release();
  await Promise.all([first, second]);
  t.is(parseResponses(await connection.readToEnd())[0]?.body, '"slow"');
  await server.close();
});
