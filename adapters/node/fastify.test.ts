import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { overSockets } from '../../conformance/transport/index.js';
import { testTransport } from '../../test/support/transport.js';
import { nodeHandler } from './index.js';

testTransport(
  overSockets(async (api, { prefix }) => {
    const app = fastify({ forceCloseConnections: true });
    const ci = nodeHandler(api, { prefix });
    app.addHook('onRequest', (request, reply, next) => ci(request.raw, reply.raw, next));
    app.setNotFoundHandler((_request, reply) => reply.code(200).send('the host'));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return { port, close: () => app.close() };
  }),
  'sockets',
  'raw-targets',
  'header-case',
  'own-routes',
);
