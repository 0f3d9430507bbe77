import { knexStorage } from '../../adapters/knex/index.js';
import { type ServerHandle, serve } from '../../adapters/node/index.js';
import { type Api, createApi } from '../../core/index.js';
import { baseUrl } from '../data/organization.js';
import { endpoints, type OptionsWithCache, type Peer, type Place } from './peer.js';

type Serve = (api: Api) => Promise<ServerHandle>;

/** Millrace as an embedder runs it: `knexStorage`, `createApi`, `serve`; or another transport in place of the last. */
const ours = (database: 'PostgreSQL' | 'SQLite', over: () => Promise<Serve> = async () => serve): Peer => ({
  about: 'Millrace',
  database,
  equal: 'bytes',
  endpoints,
  async start(place) {
    const options: OptionsWithCache = {
      storage: storageOf(database, place),
      baseUrl,
      ...(place.cache && { cache: place.cache }),
    };
    const api = createApi(options);
    await api.prepare();
    const server = await (await over())(api);
    return {
      url: server.url,
      close: async () => {
        await server.close({ graceMs: 0 });
        await api.close();
      },
    };
  },
});

export const storageOf = (database: 'PostgreSQL' | 'SQLite', { postgres = '', sqlite = '', replicas }: Place) =>
  database === 'SQLite'
    ? knexStorage({ client: 'sqlite', filename: sqlite })
    : knexStorage({ client: 'postgres', connection: postgres, ...(replicas && { replicas }) });

export const onPostgres = ours('PostgreSQL');
export const onSqlite = ours('SQLite');
export const overKoa = ours('PostgreSQL', async () => (await import('../../adapters/koa/serve.js')).serveKoa);
export const overFetch = ours('PostgreSQL', async () => (await import('../../adapters/fetch/serve.js')).serveFetch);
