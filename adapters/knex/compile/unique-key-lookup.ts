import { type Column, type ColumnKind, entities } from '../../../core/model/index.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import type { QueryDialect } from './query-dialect.js';
import type { Query } from './query-shape.js';
import { type Shape, singleValue } from './query-shape.js';

type Args = Readonly<Record<string, unknown>>;

/** A statement that answers many calls of one shape at once. */
export interface UniqueKeyLookup {
  readonly text: string;
  bind(calls: readonly Args[]): unknown[];
}

/**
 * Selects `place`, `id` and `version` of the record that each of many calls names by a unique key; `place` is the index of
 * the call. Undefined for a shape without a unique key, or with filters other than equality.
 */
export function compileUniqueKeyLookup(
  query: Query,
  shape: Shape,
  dialect: QueryDialect,
  prefix: string,
): UniqueKeyLookup | undefined {
  const filters = { ...query.scope, ...query.filters };
  const names = Object.keys(shape.forms);
  const columns: string[] = [];
  for (const name of names) {
    const filter = filters[name];
    if (filter === undefined || shape.forms[name] !== 'value') return undefined;
    if ('eq' in filter) columns.push(filter.eq);
    else if ('anyOf' in filter) columns.push(filter.anyOf);
    else return undefined;
  }
  const { unique, columns: all } = entities[query.entity];
  if (!Object.values(unique).some((key) => key.every((column) => columns.includes(column)))) return undefined;
  const kinds = columns.map((column): ColumnKind => (all as Readonly<Record<string, Column>>)[column]?.kind ?? 'text');
  const keys = dialect.keysTable(kinds);
  const conditions = columns.map((column, position) => `b.${quoteIdentifier(column)} = ${keys.cell(position)}`);
  const record = dialect.joinOne(
    quoteIdentifier(physicalName(prefix, tableOf(query.entity))),
    conditions.join(' and '),
  );
  return {
    text: `select ${keys.index} as "place", b."id", b."version" from ${keys.table} ${record}`,
    bind: (calls) =>
      dialect.encodeKeys(
        calls.map((args) => names.map((name) => singleValue(args[name]))),
        kinds,
      ),
  };
}
