import type { PageAnswer, Pages } from '../ports/index.js';
import { methodNotAllowed, type Refusal } from '../refusal.js';

/** The static page at a path where no operation is; the router's refusal if there is no page either. */
export async function staticPage(
  pages: Pages | undefined,
  method: string,
  path: string,
  noRoute: Refusal,
): Promise<PageAnswer | Refusal> {
  if (noRoute.status !== 404 || !pages?.matches(path)) return noRoute;
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(['GET', 'HEAD', 'OPTIONS']);
  return (await pages.get(path)) ?? noRoute;
}
