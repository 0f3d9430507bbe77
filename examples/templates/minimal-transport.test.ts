import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { overSockets, transportCasesFor } from 'millrace/conformance';
import { testAll } from 'millrace/conformance/ava';
import { minimalTransport } from './minimal-transport.js';

const harness = overSockets(async (api, { prefix }) => {
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
});

const cases = transportCasesFor('sockets', 'raw-targets', 'malformed-escapes', 'header-case', 'alone');

testAll(test, cases, async () => ({ harness, close: async () => {} }));
