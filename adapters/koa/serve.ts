import type { HttpApi } from '../../core/ports/index.js';
import { readPrefix } from '../http-shared/prefix-option.js';
import { type ServerHandle, startServer } from '../node/serve.js';
import { type ServeOptions, serveOptionChecks } from '../node/serve-options.js';
import { targetOf } from '../node/target.js';
import { handleRequest } from './respond.js';

/**
 * Serves an API through its own Koa application, with the limits and the graceful stop of `serve` of `millrace/node`. Koa is
 * imported on the first call: users of the middleware alone bring their own Koa.
 */
export async function serveKoa(api: HttpApi, options: ServeOptions = {}): Promise<ServerHandle> {
  const prefix = readPrefix('serveKoa', options, serveOptionChecks);
  const { default: Koa } = await import('koa');
  const app = new Koa();
  app.on('error', (error) => options.onError?.(error));
  app.use((ctx) => handleRequest(api, targetOf(ctx, prefix), ctx));
  const server = await startServer(app.callback(), options);
  return { ...server, url: server.url + prefix };
}
