import type { AddressInfo } from 'node:net';
import { endpoints, type Peer, type Place } from '../peer.js';
import { answerTo } from '../shared/answer-to.js';
import type { Service } from '../shared/service.js';
import { knexOn, knexStore } from './knex-store.js';

const koa = (database: 'PostgreSQL' | 'SQLite'): Peer => ({
  about: `Koa + knex + ${database === 'SQLite' ? 'sqlite3' : 'pg'}`,
  database,
  equal: 'JSON',
  endpoints,
  start: async (place: Place) => serve(knexStore(await knexOn(place))),
});

export const koaPostgres = koa('PostgreSQL');
export const koaSqlite = koa('SQLite');

async function serve(service: Service) {
  const { default: Koa } = await import('koa');
  const app = new Koa();
  app.use(async (context) => {
    const chunks: Buffer[] = [];
    if (context.method === 'POST') for await (const chunk of context.req) chunks.push(chunk);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const { status, text, link } = await answerTo(
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
    const made = app.listen(0, '127.0.0.1', () => resolve(made));
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
