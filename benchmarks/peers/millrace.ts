import { knexStorage } from '../../adapters/knex/index.js';
import { type ServerHandle, serve } from '../../adapters/node/index.js';
import { type Api, createApi } from '../../core/index.js';
import { baseUrl } from '../data/organization.js';
import { endpoints, type Peer, type PeerOptions } from './peer.js';

type Serve = (api: Api) => Promise<ServerHandle>;

/** Millrace as a host program runs it: `knexStorage`, `createApi`, and `serve` or another transport. */
const millracePeer = (
  database: 'PostgreSQL' | 'SQLite',
  loadServe: () => Promise<Serve> = async () => serve,
): Peer => ({
  description: 'Millrace',
  database,
  equality: 'bytes',
  endpoints,
  async start(peerOptions) {
    const { cache = {} } = peerOptions;
    const api = createApi({ storage: createStorage(database, peerOptions), baseUrl, cache });
    await api.prepare();
    const server = await (await loadServe())(api);
    return {
      url: server.url,
      close: async () => {
        await server.close({ graceMs: 0 });
        await api.close();
      },
    };
  },
});

export const createStorage = (
  database: 'PostgreSQL' | 'SQLite',
  { postgres = '', sqlite = '', replicas }: PeerOptions,
) =>
  database === 'SQLite'
    ? knexStorage({ client: 'sqlite', filename: sqlite })
    : knexStorage({ client: 'postgres', connection: postgres, ...(replicas && { replicas }) });

export const millracePostgres = millracePeer('PostgreSQL');
export const millraceSqlite = millracePeer('SQLite');
export const millraceKoa = millracePeer(
  'PostgreSQL',
  async () => (await import('../../adapters/koa/serve.js')).serveKoa,
);
export const millraceFetch = millracePeer(
  'PostgreSQL',
  async () => (await import('../../adapters/fetch/serve.js')).serveFetch,
);
