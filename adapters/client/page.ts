/** Absolute URLs of other pages of a list. A relation without a page is absent. */
export interface Links {
  readonly first?: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly links: Links;
}

/** Reads a `Link` header: `<url>; rel="next", <url>; rel="last"`. */
export function parseLinkHeader(header: string | null | undefined): Links {
  const relations = [...(header ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)];
  return Object.fromEntries(relations.map(([, url, relation]) => [relation, url]));
}

/**
 * The query of a URL, with its `?`. The client follows only the query of a link. So it also works behind proxies that the API
 * does not know of, and never sends its token to another address.
 */
export const queryStringOf = (url: string): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
};
