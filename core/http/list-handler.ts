import { type ApiError, isApiError } from '../errors/index.js';
import type { ListOperation } from '../operations/contract/operation.js';
import { resolvePath } from '../operations/contract/resolvers.js';
import { joinAsArray } from './chunks.js';
import { countUpTo, linkHeader, offsetOf, readPage } from './pagination.js';
import type { QueryPair } from './query-string.js';
import { type AuthenticatedRequest, contextFor, type HandlerOptions, readQuery } from './request-context.js';
import type { Result } from './result.js';

/** Handles a list: resolve the path, read the query, find the stamps of the page, render its records, link the other pages. */
export async function handleList(
  operation: ListOperation,
  request: AuthenticatedRequest,
  options: HandlerOptions,
): Promise<Result | ApiError> {
  const records = await resolvePath(request.params, request.caller, options.storage);
  if (isApiError(records)) return records;
  const query = readQuery(operation, request.query);
  if (isApiError(query)) return query;
  const { pairs, values } = query;
  const page = readPage(pairs);
  if (isApiError(page)) return page;
  const context = contextFor(request, records, values, options);
  const args = await operation.where(context);
  if (isApiError(args)) return args;

  const whole = operation.unpaged && !pairs.some(isAboutPages);
  const window = whole ? { offset: 0, limit: countUpTo } : { offset: offsetOf(page), limit: page.size, countUpTo };
  const found = await context.reader.find(operation.source, args, window);
  const link = linkHeader(page, found, context.links.api(request.path), pairs);
  const headers: Result['headers'] = link === undefined ? {} : { Link: link };
  if (operation.renderCached) {
    const shown = await operation.renderCached(found.stamps, context);
    return isApiError(shown) ? shown : { status: 200, chunks: joinAsArray(shown), headers };
  }
  const ids = found.stamps.map((stamp) => stamp.id);
  const rows = ids.length > 0 ? await context.reader.load(operation.source, ids) : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = ids.flatMap((id) => byId.get(id) ?? []);
  return { status: 200, payload: await operation.render?.(ordered, context), headers };
}

const isAboutPages = ({ name }: QueryPair): boolean => name === 'page' || name === 'per_page';
