import type { Peer } from './peer.js';

/** All peers by name; what a peer needs is imported when it is started. */
export const peers = {
  'millrace-pg': async () => (await import('./ours.js')).onPostgres,
  'millrace-pg-koa': async () => (await import('./ours.js')).overKoa,
  'millrace-pg-fetch': async () => (await import('./ours.js')).overFetch,
  'millrace-memory': async () => (await import('./memory.js')).onMemory,
  'hand-tuned-pg': async () => (await import('./postgres/hand-tuned.js')).handTuned,
  'documents-pg': async () => (await import('./postgres/documents.js')).documents,
  'fastify-pg': async () => (await import('./frameworks/fastify-pg.js')).fastifyPg,
  'koa-knex-pg': async () => (await import('./frameworks/koa-knex.js')).koaPostgres,
  'feathers-knex-pg': async () => (await import('./frameworks/feathers-knex.js')).feathersKnex,
  'millrace-sqlite': async () => (await import('./ours.js')).onSqlite,
  'hand-tuned-sqlite': async () => (await import('./sqlite/hand-tuned.js')).handTunedSqlite,
  'documents-sqlite': async () => (await import('./sqlite/documents.js')).documentsSqlite,
  'koa-knex-sqlite': async () => (await import('./frameworks/koa-knex.js')).koaSqlite,
  'json-server': async () => (await import('./json-server.js')).jsonServer,
  'bare-http': async () => (await import('./bare.js')).bare,
} as const satisfies Record<string, () => Promise<Peer>>;

export type PeerName = keyof typeof peers;
