import { type Column, type ColumnKind, entities } from '../../../core/model/index.js';
import { physical, quoted, tableOf } from '../names.js';
import type { Dialect } from './dialect.js';
import type { Query } from './matching.js';
import { only, type Shape } from './shape.js';

type Args = Readonly<Record<string, unknown>>;

/** A statement that answers many calls of one shape at once. */
export interface AtOnce {
  readonly text: string;
  bind(calls: readonly Args[]): unknown[];
}

/**
 * Selects `place`, `id` and `version` of the record that each of many calls names by a unique key; `place` tells which call
 * it answers. Undefined for a shape that names no unique key, or asks for more than equality.
 */
export function byKeys(query: Query, shape: Shape, dialect: Dialect, prefix: string): AtOnce | undefined {
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
  const keys = dialect.keys(kinds);
  const conditions = columns.map((column, place) => `b.${quoted(column)} = ${keys.cell(place)}`);
  const record = dialect.matched(quoted(physical(prefix, tableOf(query.entity))), conditions.join(' and '));
  return {
    text: `select ${keys.place} as "place", b."id", b."version" from ${keys.table} ${record}`,
    bind: (calls) =>
      dialect.encodeKeys(
        calls.map((args) => names.map((name) => only(args[name]))),
        kinds,
      ),
  };
}
