import { type ApiError, errors } from '../errors/index.js';
import type { PageAnswer, Pages } from '../ports/index.js';

/** The static page at a path without an operation; the router's error if there is no page either. */
export async function staticPage(
  pages: Pages | undefined,
  method: string,
  path: string,
  noRoute: ApiError,
): Promise<PageAnswer | ApiError> {
  if (noRoute.data.code !== 'route.not_found' || !pages?.matches(path)) return noRoute;
  if (method !== 'GET' && method !== 'HEAD') return errors.methodNotAllowed({ methods: 'GET, HEAD, OPTIONS' });
  return (await pages.get(path)) ?? noRoute;
}
