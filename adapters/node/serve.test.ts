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

/** An answer that comes when the test lets it. */
function heldResponse(): { answer: StubHandler; arrived: Promise<void>; go: () => void } {
  const arrived = deferred();
  const go = deferred();
  const answer: StubHandler = async () => {
    arrived.fire();
    await go.promise;
    return json(200, 'at last');
  };
  return { answer, arrived: arrived.promise, go: () => go.fire() };
}

test('listens on any free port of the loopback address by default, and says where', async (t) => {
  const server = await serve(stubApi());
  t.is(server.url, `http://127.0.0.1:${server.port}`);
  t.true(server.port > 0);
  t.is((await fetch(`${server.url}/v2/x`)).status, 200);
  await server.close();
  await t.throwsAsync(fetch(`${server.url}/v2/x`));
});

test('the url of a server on all addresses leads to it, and has the prefix', async (t) => {
  const server = await serve(stubApi(), { host: '0.0.0.0', prefix: '/ci/' });
  t.is(server.url, `http://127.0.0.1:${server.port}/ci`);
  t.like(await (await fetch(`${server.url}/v2/x`)).json(), { target: '/v2/x' });
  t.is((await fetch(`http://127.0.0.1:${server.port}/v2/x`)).status, 404);
  await server.close();
});

test('a port in use is told plainly', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = portOf(other.address());
  await t.throwsAsync(serve(stubApi(), { port }), {
    message: `Port ${port} on 127.0.0.1 is already in use`,
    code: 'EADDRINUSE',
  });
  other.close();
});

test('an address that is not ours, and a prefix that is none, are rejections too', async (t) => {
  await t.throwsAsync(serve(stubApi(), { host: '203.0.113.1' }), { code: 'EADDRNOTAVAIL' });
  await t.throwsAsync(serve(stubApi(), { prefix: 'ci' }), { instanceOf: TypeError });
  await t.throwsAsync(serve(stubApi(), { port: 70_000 }), { code: 'ERR_SOCKET_BAD_PORT' });
});

test('times that depend on each other fit, whichever are given', async (t) => {
  for (const options of [
    { headersTimeout: 100_000 },
    { requestTimeout: 1000 },
    { requestTimeout: 0 },
    { headersTimeout: 0 },
  ])
    await t.notThrowsAsync(async () => (await serve(stubApi(), options)).close());
});

test('closing ends idle connections at once, also those that were kept alive', async (t) => {
  const server = await serve(stubApi());
  const silent = await RawConnection.open(server.port);
  const keptAlive = (await RawConnection.open(server.port)).send(get('/v2/x'));
  await keptAlive.waitFor(/\}\}$/);
  await server.close({ graceMs: 60_000 });
  await Promise.all([silent.closed, keptAlive.closed]);
  t.pass();
});

test('closing lets requests under way finish, on connections that close after them, and takes no new ones', async (t) => {
  const slow = heldResponse();
  const server = await serve(stubApi({ '/v2/slow': slow.answer }));
  const connection = (await RawConnection.open(server.port)).send(get('/v2/slow'));
  await slow.arrived;
  const closing = server.close({ graceMs: 60_000 });
  await t.throwsAsync(RawConnection.open(server.port), { code: 'ECONNREFUSED' });
  slow.go();
  const [answer] = parseResponses(await connection.readToEnd());
  t.is(answer?.body, '"at last"');
  t.is(answer?.headers.connection, 'close');
  await closing;
});

test('closing does not cut an answer that is on its way to a slow reader', async (t) => {
  const body = Array.from({ length: 16 }, () => Buffer.alloc(1024 * 1024, 'x'));
  const server = await serve(stubApi({ '/v2/x': () => ({ status: 200, headers: {}, body }) }));
  const connection = (await RawConnection.open(server.port)).send(get('/v2/x'));
  await connection.waitFor(/^HTTP\/1.1 200 /);
  connection.socket.pause();
  const closing = server.close({ graceMs: 60_000 });
  connection.socket.resume();
  const [answer] = parseResponses(await connection.readToEnd());
  t.is(answer?.body.length, 16 * 1024 * 1024);
  await closing;
});

test('what is left after the grace period is cut off', async (t) => {
  const slow = heldResponse();
  const api = stubApi({ '/v2/slow': slow.answer });
  const server = await serve(api);
  const connection = (await RawConnection.open(server.port)).send(get('/v2/slow'));
  await slow.arrived;
  await server.close({ graceMs: 30 });
  t.is(await connection.readToEnd(), '');
  t.true(api.seen[0]?.signal?.aborted);
  slow.go();
});

test('closing twice is closing once', async (t) => {
  const slow = heldResponse();
  const server = await serve(stubApi({ '/v2/slow': slow.answer }));
  const connection = (await RawConnection.open(server.port)).send(get('/v2/slow'));
  await slow.arrived;
  const first = server.close({ graceMs: 60_000 });
  const second = server.close({ graceMs: 0 });
  slow.go();
  await Promise.all([first, second]);
  t.is(parseResponses(await connection.readToEnd())[0]?.body, '"at last"');
  await server.close();
});
