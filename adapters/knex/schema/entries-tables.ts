import { createHash } from 'node:crypto';
import { type EntityName, queryDefinition, queryNames } from '../../../core/model/index.js';
import { entriesTableOf } from '../identifiers.js';

/**
 * A side table with one row for each entry of a JSON column that some query filters by entries. Next to the digest of the
 * entry it repeats what those queries are scoped and ordered by, so that one index finds the newest builds with an entry.
 */
export interface EntriesTable {
  readonly name: string;
  readonly entity: EntityName;
  /** The JSON column. */
  readonly column: string;
  /** Columns of the record that the side table repeats. */
  readonly copiedColumns: readonly string[];
}

/** The side tables of an entity. */
export const entriesTablesOf = (entity: EntityName): readonly EntriesTable[] => entriesTablesByEntity.get(entity) ?? [];

/** Key and value as one short text: 144 bits of SHA-256, since values are too long to be indexed as they are. */
export const entryDigest = (key: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('base64url')
    .slice(0, 24);

/** The digests of all entries of a JSON value that a query could ask for. */
export function entryDigests(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([key, text]) => entryDigest(key, text));
}

const entriesTablesByEntity: ReadonlyMap<EntityName, readonly EntriesTable[]> = deriveEntriesTables();

function deriveEntriesTables(): Map<EntityName, EntriesTable[]> {
  const found = new Map<EntityName, EntriesTable[]>();
  for (const query of queryNames.map(queryDefinition)) {
    for (const filter of Object.values(query.filters ?? {})) {
      if (!('entries' in filter)) continue;
      const scope = Object.values(query.scope).map((by) => ('eq' in by ? by.eq : 'anyOf' in by ? by.anyOf : undefined));
      const neededColumns = [...scope, ...query.order.map(([column]) => column)];
      const ofEntity = found.get(query.entity) ?? [];
      const previous = ofEntity.find(({ column }) => column === filter.entries);
      const copiedColumns = new Set([...(previous?.copiedColumns ?? []), ...neededColumns]);
      found.set(query.entity, [
        ...ofEntity.filter((table) => table !== previous),
        {
          name: entriesTableOf(query.entity, filter.entries),
          entity: query.entity,
          column: filter.entries,
          copiedColumns: [...copiedColumns]
            .filter((column) => column !== undefined && column !== 'id')
            .sort() as string[],
        },
      ]);
    }
  }
  return found;
}
