import { type ApiError, errors, isApiError } from '../errors/index.js';
import type { FoundPage } from '../ports/index.js';
import { formatPair, type QueryPair } from './query-string.js';

/** The page of a list that a request asks for (decisions 3). */
export interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

export const defaultPageSize = 30;
export const maxPageSize = 100;
/** The relation `last` is left out where the list is longer than this, so that page 1 costs the same at any length. */
export const countUpTo = 10_000;

/** Reads `page` and `per_page`. 0 means page 1; more than the largest size means the largest size. */
export function readPage(pairs: readonly QueryPair[]): Page | ApiError {
  const number = readWholeNumber('page', pairs);
  if (isApiError(number)) return number;
  const size = readWholeNumber('per_page', pairs);
  if (isApiError(size)) return size;
  if (size === 0) return errors.pageSizeZero();
  return { number: Math.max(1, number ?? 1), size: Math.min(size ?? defaultPageSize, maxPageSize) };
}

function readWholeNumber(name: string, pairs: readonly QueryPair[]): number | undefined | ApiError {
  const values = pairs.filter((pair) => pair.name === name);
  if (values.length === 0) return undefined;
  const text = values.length === 1 && values[0]?.key === undefined ? values[0]?.value : undefined;
  const number = text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) return errors.pageNotWhole({ parameter: name });
  return number;
}

export const offsetOf = (page: Page): number => Math.min((page.number - 1) * page.size, Number.MAX_SAFE_INTEGER);

/**
 * The `Link` header for a page (decisions 3): relations in the order first, prev, next, last, only those that apply;
 * undefined when everything fits on one page. `address` is the absolute URL without its query.
 */
export function linkHeader(
  page: Page,
  found: FoundPage,
  address: string,
  pairs: readonly QueryPair[],
): string | undefined {
  const others = pairs.filter((pair) => pair.name !== 'page' && pair.name !== 'per_page').map(formatPair);
  const last = found.total === undefined ? undefined : Math.max(1, Math.ceil(found.total / page.size));
  const relations: [name: string, page: number | undefined][] = [
    ['first', page.number > 1 ? 1 : undefined],
    ['prev', page.number > 1 ? Math.min(page.number - 1, last ?? Number.POSITIVE_INFINITY) : undefined],
    ['next', found.more ? page.number + 1 : undefined],
    ['last', last !== undefined && page.number !== last ? last : undefined],
  ];
  if (page.number === 1 && !found.more) return undefined;
  const links = relations.flatMap(([name, number]) => {
    if (number === undefined) return [];
    const query = [...others, `page=${number}`, `per_page=${page.size}`].join('&');
    return [`<${address}?${query}>; rel="${name}"`];
  });
  return links.length > 0 ? links.join(', ') : undefined;
}
