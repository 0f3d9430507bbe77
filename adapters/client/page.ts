/** Absolute addresses of other pages of a list, as far as there are such. */
export interface Links {
  readonly first?: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

/** A page of a list. */
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
 * The query of an address, with its `?`. Of a link only this is followed: so a client also finds its way where the API does
 * not know the address it is reached by, and never sends its token anywhere else.
 */
export const queryStringOf = (url: string): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
};
