import type { Peer } from './peer.js';

/** All peers by name. A peer's module is imported only when the peer is started. */
export const peers = {
  'millrace-pg': async () => (await import('./millrace.js')).millracePostgres,
  'millrace-pg-koa': async () => (await import('./millrace.js')).millraceKoa,
  'millrace-pg-fetch': async () => (await import('./millrace.js')).millraceFetch,
  'millrace-ablation-pg': async () => (await import('./millrace-ablation.js')).ablationPostgres,
  'millrace-ablation-sqlite': async () => (await import('./millrace-ablation.js')).ablationSqlite,
  'millrace-memory': async () => (await import('./millrace-memory.js')).millraceMemory,
  'hand-tuned-pg': async () => (await import('./postgres/hand-tuned.js')).handTuned,
  'documents-pg': async () => (await import('./postgres/documents.js')).documents,
  'fastify-pg': async () => (await import('./frameworks/fastify-pg.js')).fastifyPg,
  'koa-knex-pg': async () => (await import('./frameworks/koa-knex.js')).koaPostgres,
  'feathers-knex-pg': async () => (await import('./frameworks/feathers-knex.js')).feathersKnex,
  'millrace-sqlite': async () => (await import('./millrace.js')).millraceSqlite,
  'hand-tuned-sqlite': async () => (await import('./sqlite/hand-tuned.js')).handTunedSqlite,
  'documents-sqlite': async () => (await import('./sqlite/documents.js')).documentsSqlite,
  'koa-knex-sqlite': async () => (await import('./frameworks/koa-knex.js')).koaSqlite,
  'json-server': async () => (await import('./json-server.js')).jsonServer,
  'bare-http': async () => (await import('./bare-http.js')).bareHttp,
} as const satisfies Record<string, () => Promise<Peer>>;

export type PeerName = keyof typeof peers;
