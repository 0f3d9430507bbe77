import { methodNotAllowed, type Refusal } from './contract/refusal.js';
import type { PageAnswer, Pages } from './ports/index.js';

/** What stands beside the operations at a path: a page, or the refusal that there is no route, if there is no page either. */
export async function beside(
  pages: Pages | undefined,
  method: string,
  path: string,
  noRoute: Refusal,
): Promise<PageAnswer | Refusal> {
  if (noRoute.status !== 404 || !pages?.matches(path)) return noRoute;
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(['GET', 'HEAD', 'OPTIONS']);
  return (await pages.get(path)) ?? noRoute;
}
