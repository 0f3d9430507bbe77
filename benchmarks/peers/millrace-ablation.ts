import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { knexStorage } from '../../adapters/knex/index.js';
import { nodeHandler, serveListener } from '../../adapters/node/index.js';
import { type Api, createApi, type HttpApi } from '../../core/index.js';
import { baseUrl } from '../data/organization.js';
import { endpoints, type Peer } from './peer.js';

/** `POST` to this path plus the id of an agent: the agent accepts a job and releases it, by the calls of a CI system. */
export const acceptPath = '/runtime/accept/';

/** Requests wait for a connection instead of being refused: without a mechanism, a busy machine may take seconds. */
const pool = { acquireTimeout: 60_000 };

/** Millrace with single mechanisms switched off. */
const ablationPeer = (database: 'PostgreSQL' | 'SQLite'): Peer => ({
  description: 'Millrace with mechanisms switched off',
  database,
  equality: 'bytes',
  endpoints,
  async start({ postgres = '', sqlite = '', cache = {}, tuning = {}, joinBody = false }) {
    const storage =
      database === 'SQLite'
        ? knexStorage({ client: 'sqlite', filename: sqlite, tuning })
        : knexStorage({ client: 'postgres', connection: postgres, pool, tuning });
    const api = createApi({ storage, baseUrl, cache });
    await api.prepare();
    const server = await serveListener(listener(api, nodeHandler(joinBody ? withJoinedBody(api) : api)));
    return {
      url: server.url,
      close: async () => {
        await server.close({ graceMs: 0 });
        await api.close();
      },
    };
  },
});

export const ablationPostgres = ablationPeer('PostgreSQL');
export const ablationSqlite = ablationPeer('SQLite');

/** The handler of the API, and a path for accepting jobs, which the HTTP API has no endpoint for. */
function listener(api: Api, handle: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url?.startsWith(acceptPath)) void acceptAndRelease(api, request, response);
    else handle(request, response);
  };
}

async function acceptAndRelease({ runtime }: Api, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  let status = 200;
  try {
    const agent = request.url?.slice(acceptPath.length) ?? '';
    const job = await retried(() => runtime.jobs.accept({ agent }));
    if (job === null) throw new Error('No job waits to be accepted');
    await retried(() => runtime.jobs.release({ job: job.id }));
  } catch (error) {
    status = 500;
    console.error(error);
  }
  response.writeHead(status, { 'Content-Length': 0 }).end();
}

/** Retries a call that lost against others too often: all clients want the first jobs of the same queue. */
async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}

/** Copies the chunks of every body into one buffer. */
const withJoinedBody = (api: HttpApi): HttpApi => ({
  matches: api.matches,
  handle: async (request) => {
    const response = await api.handle(request);
    return { ...response, body: response.body.length > 1 ? [Buffer.concat(response.body)] : response.body };
  },
});
