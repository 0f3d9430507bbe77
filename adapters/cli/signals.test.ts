import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type ServerProcess, startServer, temporaryDirectory, waitUntil } from '../../test/support/cli-process.js';

/** A request whose body has not been sent: it stays under way until `finish` is called. */
async function unfinishedRequest(t: ExecutionContext, { ready, output }: ServerProcess) {
  const { hostname, port } = new URL(ready.url);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  // If the service ends in the meantime, the error contains its stderr; without this, the test would wait forever.
  const closed = once(socket, 'close').then(() =>
    Promise.reject(new Error(`The connection was closed: ${output().stderr}`)),
  );
  closed.catch(() => undefined);
  await once(socket, 'connect');
  const body = JSON.stringify({ commit: 'HEAD', branch: 'main' });
  const head = [
    'POST /v2/organizations/acme/pipelines/web/builds HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${ready.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The server has sent 100 Continue: it is reading the request.
  await Promise.race([once(socket, 'data'), closed]);
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  return { socket, finish: () => socket.write(body), response: () => received };
}

/** Whether the server refuses connections. Uses a plain socket, since `fetch` may reuse a pooled connection. */
const isRefused = ({ ready }: ServerProcess): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(ready.url);
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

test('the first signal completes requests under way and accepts no new connections', async (t) => {
  const service = await startServer(t, await temporaryDirectory(t), '--no-simulate');
  const request = await unfinishedRequest(t, service);
  const ended = service.stop('SIGINT');
  await waitUntil('no new connections', () => isRefused(service));
  request.finish();
  t.deepEqual(await ended, { code: 0, signal: null });
  t.regex(request.response(), /^HTTP\/1\.1 201 /);
});

test('the second signal ends the process at once', async (t) => {
  const service = await startServer(t, await temporaryDirectory(t), '--no-simulate');
  await unfinishedRequest(t, service);
  const ended = service.stop('SIGTERM');
  await waitUntil('no new connections', () => isRefused(service));
  // An earlier signal would count as a duplicate of the first (npm forwards signals).
  await pause(300);
  const startedAt = performance.now();
  service.child.kill('SIGTERM');
  t.deepEqual(await ended, { code: 143, signal: null });
  t.true(performance.now() - startedAt < 1_000);
});

test('a signal right after the start is not lost', async (t) => {
  const cwd = await temporaryDirectory(t);
  for (let time = 0; time < 5; time += 1) {
    const service = await startServer(t, cwd, '--no-simulate');
    t.deepEqual(await service.stop(), { code: 0, signal: null });
  }
});
