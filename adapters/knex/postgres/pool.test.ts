import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test from 'ava';
import { createPool } from './pool.js';

/** A server's error for a client that it does not accept. */
const fields = 'SFATAL\0C53300\0Mtoo many connections\0\0';
const refusal = Buffer.concat([Buffer.from('E'), Buffer.from([0, 0, 0, 4 + fields.length]), Buffer.from(fields)]);

test('pool.socket-of-a-failed-connection-is-closed', async (t) => {
  t.timeout(10_000);
  const sockets: Socket[] = [];
  // The server leaves its side open, so that only the client can close the connection.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(refusal));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const knex = await createPool({ client: 'postgres', connection: `postgres://u:p@127.0.0.1:${port}/d` });
  await t.throwsAsync(knex.raw('select 1'), { message: /too many connections/ });
  for (const socket of sockets) {
    socket.resume();
    if (!socket.readableEnded) await Promise.race([once(socket, 'end'), once(socket, 'close')]);
    socket.destroy();
  }
  t.true(sockets.length > 0);
  await knex.destroy();
  server.close();
});
