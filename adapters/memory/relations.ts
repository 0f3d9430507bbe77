import { type Definition, type EntityName, type QueryName, queryDefinition } from '../../core/model/index.js';
import type { StoredRow } from './record.js';
import type { Table } from './table.js';

/** Adds to a row the relations that a query declares. */
export type RelationLoader = (row: StoredRow) => StoredRow;

export function relationLoader(name: QueryName, tables: Readonly<Record<EntityName, Table>>): RelationLoader {
  const query: Definition = queryDefinition(name);
  const one = Object.entries(query.one ?? {}).map(([relation, { to, by }]) => ({ relation, table: tables[to], by }));
  const many = Object.entries(query.many ?? {}).map(([relation, { from, by, on, order }]) => ({
    relation,
    index: tables[from].index([by], order),
    on: on ?? 'id',
  }));
  if (one.length + many.length === 0) return (row) => row;

  return (row) => {
    const related: Record<string, unknown> = { ...row };
    for (const { relation, table, by } of one) related[relation] = table.get(String(row[by])) ?? null;
    for (const { relation, index, on } of many) {
      related[relation] = [...(index.bucket([row[on]])?.rows() ?? [])];
    }
    return related as StoredRow;
  };
}
