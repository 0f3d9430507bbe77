import type { QueryArgs, QueryName, QueryRow } from '../model/index.js';
import type { Reader } from '../ports/index.js';

/** All matching rows, in several calls if there are many. */
export async function selectAll<Q extends QueryName>(
  reader: Reader,
  query: Q,
  args: QueryArgs<Q>,
): Promise<QueryRow<Q>[]> {
  return reader.select(query, args, Number.MAX_SAFE_INTEGER);
}
