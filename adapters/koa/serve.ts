import type { HttpApi } from '../../core/ports/index.js';
import { normalizePrefix } from '../http-shared/prefix.js';
import { type ServeOptions, type ServerHandle, serveListener } from '../node/serve.js';
import { targetOf } from '../node/target.js';
import { handleRequest } from './respond.js';

/**
 * Serves an API by a Koa application of its own, with the limits and the stop of `serve` of `millrace/node`. Koa is loaded when
 * this is called: who only takes the middleware brings the Koa of the host.
 */
export async function serveKoa(api: HttpApi, options: ServeOptions = {}): Promise<ServerHandle> {
  const prefix = normalizePrefix(options.prefix);
  const { default: Koa } = await import('koa');
  const app = new Koa();
  app.on('error', (error) => options.onError?.(error));
  app.use((ctx) => handleRequest(api, targetOf(ctx, prefix), ctx));
  const server = await serveListener(app.callback(), options);
  return { ...server, url: server.url + prefix };
}
