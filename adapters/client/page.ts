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
export function readLinks(header: string | null | undefined): Links {
  const relations = [...(header ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)];
  return Object.fromEntries(relations.map(([, address, relation]) => [relation, address]));
}

/**
 * The query of an address, with its `?`. Of a link only this is followed: so a client also finds its way where the API does
 * not know the address it is reached by, and never sends its token anywhere else.
 */
export const queryOf = (address: string): string => {
  const question = address.indexOf('?');
  return question < 0 ? '' : address.slice(question);
};
