import type { Next, ParameterizedContext } from 'koa';
import type { HttpApi } from '../../core/ports/index.js';
import { readPrefix } from '../http-shared/prefix-option.js';
import { targetOf } from '../node/target.js';
import { handleRequest } from './respond.js';

export interface KoaMiddlewareOptions {
  /** Path that the API is mounted at, such as `/ci`. It is stripped before the API sees the request. Default: none. */
  readonly prefix?: string | undefined;
}

export type KoaMiddleware = (ctx: ParameterizedContext, next: Next) => Promise<void>;

/**
 * Koa middleware, alone or below a path of `koa-mount`, before or after body parsers. Requests that match no path of the API go to
 * the next middleware. Responses are set on the Koa context, so that outer middleware may inspect or compress them.
 *
 *     app.use(koaMiddleware(api, { prefix: '/ci' }));
 *     app.use(mount('/ci', koaMiddleware(api)));
 */
export function koaMiddleware(api: HttpApi, options: KoaMiddlewareOptions = {}): KoaMiddleware {
  const prefix = readPrefix('koaMiddleware', options);
  return async (ctx, next) => {
    const target = targetOf(ctx, prefix);
    if (target === undefined || !api.matches(ctx.method, target)) return next();
    await handleRequest(api, target, ctx);
  };
}
