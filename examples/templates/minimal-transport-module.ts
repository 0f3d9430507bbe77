import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpApi } from 'millrace';
import type { ListeningServer, OpenOptions } from 'millrace/conformance';
import { minimalTransport } from './minimal-transport.js';

/** Serves an API through the transport on a free port of the loopback address. */
export default async function listen(api: HttpApi, { prefix }: OpenOptions): Promise<ListeningServer> {
  const server = createServer(minimalTransport(api, prefix)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The capabilities beyond what every transport has. */
export const capabilities = ['sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'alone', 'any-method'];
