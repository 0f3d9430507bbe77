import type { HttpApi } from '../../core/ports/index.js';
import { readPrefix } from '../http-shared/prefix-option.js';
import { type ServerHandle, startServer } from '../node/serve.js';
import { type ServeOptions, serveOptionChecks } from '../node/serve-options.js';
import { webListener } from '../node/web-listener.js';
import { fetchHandler } from './handler.js';

/**
 * Serves an API through its fetch handler on node:http, with the limits and the graceful stop of `serve` of `millrace/node`. For
 * trying the handler out. Not exported by `millrace/fetch`, which must not need Node.
 */
export async function serveFetch(api: HttpApi, options: ServeOptions = {}): Promise<ServerHandle> {
  const prefix = readPrefix('serveFetch', options, serveOptionChecks);
  const handler = fetchHandler(api, { prefix, remoteAddress: (_request, address: string | undefined) => address });
  const server = await startServer(webListener(handler), options);
  return { ...server, url: server.url + prefix };
}
