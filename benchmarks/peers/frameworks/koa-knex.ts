import type { AddressInfo } from 'node:net';
import { endpoints, type Peer, type PeerOptions } from '../peer.js';
import { handleRequest } from '../shared/handle-request.js';
import type { Service } from '../shared/service.js';
import { createKnex, knexStore } from './knex-store.js';

const koaKnexPeer = (database: 'PostgreSQL' | 'SQLite'): Peer => ({
  description: `Koa + knex + ${database === 'SQLite' ? 'sqlite3' : 'pg'}`,
  database,
  equality: 'JSON',
  endpoints,
  start: async (peerOptions: PeerOptions) => serve(knexStore(await createKnex(peerOptions))),
});

export const koaPostgres = koaKnexPeer('PostgreSQL');
export const koaSqlite = koaKnexPeer('SQLite');

async function serve(service: Service) {
  const { default: Koa } = await import('koa');
  const app = new Koa();
  app.use(async (context) => {
    const chunks: Buffer[] = [];
    if (context.method === 'POST') for await (const chunk of context.req) chunks.push(chunk);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const { status, text, link } = await handleRequest(
      service,
      context.method,
      context.url,
      context.headers.authorization,
      body,
    );
    context.status = status;
    context.type = 'application/json; charset=utf-8';
    if (link !== undefined) context.set('Link', link);
    context.body = text;
  });
  const server = await new Promise<import('node:http').Server>((resolve) => {
    const httpServer = app.listen(0, '127.0.0.1', () => resolve(httpServer));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}
