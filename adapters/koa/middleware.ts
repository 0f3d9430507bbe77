import type { Next, ParameterizedContext } from 'koa';
import type { HttpApi } from '../../core/ports/index.js';
import { normalizePrefix } from '../http-shared/prefix.js';
import { targetOf } from '../node/target.js';
import { handleRequest } from './respond.js';

export interface KoaMiddlewareOptions {
  /** Path below which the API stands, such as `/ci`. It is taken off before the API sees the request. Default: none. */
  readonly prefix?: string | undefined;
}

export type KoaMiddleware = (ctx: ParameterizedContext, next: Next) => Promise<void>;

/**
 * Koa middleware, alone or below a path of `koa-mount`, before and behind body parsers. Whatever is no path of the API goes on
 * to the host's next middleware. Answers are given to Koa as its own are, so that the host's middleware may still look at them
 * or compress them.
 *
 *     app.use(koaMiddleware(api, { prefix: '/ci' }));
 *     app.use(mount('/ci', koaMiddleware(api)));
 */
export function koaMiddleware(api: HttpApi, options: KoaMiddlewareOptions = {}): KoaMiddleware {
  const prefix = normalizePrefix(options.prefix);
  return async (ctx, next) => {
    const target = targetOf(ctx, prefix);
    if (target === undefined || !api.matches(ctx.method, target)) return next();
    await handleRequest(api, target, ctx);
  };
}
