import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { testAll } from '../../conformance/bindings/ava.js';
import {
  type ListeningServer,
  type TransportCapability,
  type TransportHarness,
  transportCases,
} from '../../conformance/transport/index.js';

/** Declares AVA tests for all transport cases with these capabilities. */
export const testTransport = (harness: TransportHarness, ...capabilities: TransportCapability[]): void =>
  testAll(test, transportCases, async () => ({ harness, close: async () => {} }), capabilities);

/** Serves a listener with plain `http.createServer`, like a host would. */
export async function listenOnFreePort(listener: RequestListener): Promise<ListeningServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
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
