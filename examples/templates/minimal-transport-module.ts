import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpApi } from 'millrace';
import type { ListeningServer, OpenOptions } from 'millrace/conformance';
import { minimalTransport } from './minimal-transport.js';

/** Puts an API behind the transport, on a port of the loopback address. */
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

/** What it can do beyond what all transports can. */
export const capabilities = ['sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'alone', 'any-method'];
