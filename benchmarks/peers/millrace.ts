import { knexStorage } from '../../adapters/knex/index.js';
import { type ServerHandle, serve } from '../../adapters/node/index.js';
import { type Api, createApi } from '../../core/index.js';
import { baseUrl } from '../data/organization.js';
import { endpoints, type OptionsWithCache, type Peer, type PeerOptions } from './peer.js';

type Serve = (api: Api) => Promise<ServerHandle>;

/** Millrace as an embedder runs it: `knexStorage`, `createApi`, `serve`; or another transport in place of the last. */
const millracePeer = (
  database: 'PostgreSQL' | 'SQLite',
  loadServe: () => Promise<Serve> = async () => serve,
): Peer => ({
  description: 'Millrace',
  database,
  equality: 'bytes',
  endpoints,
  async start(peerOptions) {
    const options: OptionsWithCache = {
      storage: createStorage(database, peerOptions),
      baseUrl,
      ...(peerOptions.cache && { cache: peerOptions.cache }),
    };
    const api = createApi(options);
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
