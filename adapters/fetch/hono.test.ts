import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { overSockets } from '../../conformance/transport/index.js';
import { testTransport } from '../../test/support/transport.js';
import { fetchHandler } from './index.js';

interface Bindings {
  readonly incoming: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

testTransport(
  overSockets(async (api, { prefix }) => {
    const handler = fetchHandler(api, {
      prefix,
      remoteAddress: (_request, { incoming }: Bindings) => incoming.socket.remoteAddress,
    });
    const app = new Hono<{ Bindings: Bindings }>();
    app.all(`${prefix ?? ''}/v2/*`, (c) => handler(c.req.raw, c.env));
    app.all('*', (c) => c.text('the host'));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    return {
      port: (server.address() as AddressInfo).port,
      async close() {
        (server as unknown as { closeAllConnections(): void }).closeAllConnections();
        server.close();
        await once(server, 'close');
      },
    };
  }),
  'sockets',
  'malformed-escapes',
  'own-routes',
);
