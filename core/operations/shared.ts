import type { Reader } from '../contract/operation.js';
import type { QueryName, QueryRow } from '../model/index.js';

/** The records that many others show, by id: looked up once for all of a page. Null is the id of nobody. */
export async function sharedById<Q extends QueryName>(
  reader: Reader,
  query: Q,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, QueryRow<Q>>> {
  const some = new Set(ids);
  some.delete(null);
  const rows = some.size > 0 ? await reader.load(query, [...some] as string[]) : [];
  return new Map(rows.map((row) => [row.id, row]));
}

/** The version of a shared record; 0 for one that is not there. */
export const versionOf = (row: { readonly version: number } | undefined): number => row?.version ?? 0;
