import type { QueryName, QueryRow } from '../model/index.js';
import type { Reader } from '../ports/storage.js';

/**
 * The records that many others show, by id: each is looked up once for all of a page, and not at all if it is the one that is
 * known from the path. Null is the id of nobody.
 */
export async function loadShared<Q extends QueryName, One>(
  reader: Reader,
  query: Q,
  page: readonly One[],
  idOf: (record: One) => string | null,
  known?: QueryRow<Q>,
): Promise<ReadonlyMap<string | null, QueryRow<Q>>> {
  const ids = new Set<string>();
  const found = new Map<string | null, QueryRow<Q>>();
  for (const record of page) {
    const id = idOf(record);
    if (id !== null && id === known?.id) found.set(id, known);
    else if (id !== null) ids.add(id);
  }
  if (ids.size > 0) for (const row of await reader.load(query, [...ids])) found.set(row.id, row);
  return found;
}

/** The version of a shared record; 0 for one that is not there. */
export const versionOf = (row: { readonly version: number } | undefined): number => row?.version ?? 0;
