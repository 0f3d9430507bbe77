import { type Definition, type Filter, type QueryName, queryDefinition } from '../../core/model/index.js';
import type { FoundPage, Window } from '../../core/ports/index.js';
import { entriesOf } from '../arbitraries/arguments.js';
import type { AnyRow } from '../arbitraries/rows.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The reference implementation of queries: filter all rows and sort them. */
export function expectedRows(name: QueryName, args: Arguments, rows: Iterable<AnyRow>): AnyRow[] {
  const query: Definition = queryDefinition(name);
  const filters = Object.entries({ ...query.scope, ...query.filters });
  return [...rows]
    .filter((row) => filters.every(([filter, how]) => args[filter] === undefined || passes(row, how, args[filter])))
    .sort((a, b) => compareRows(a, b, query.order));
}

/** The number of rows for each value of a column. */
export function expectedCounts(rows: readonly AnyRow[], by: string): Record<string, number> {
  const values = rows.map((row) => row[by] as string);
  return Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((other) => other === value).length]),
  );
}

export function expectedFound(matching: readonly AnyRow[], { offset, limit, countUpTo }: Window): FoundPage {
  const stamps = matching.slice(offset, offset + limit).map(({ id, version }) => ({ id, version }));
  const more = matching.length > offset + limit;
  return countUpTo === undefined || matching.length > countUpTo
    ? { stamps, more }
    : { stamps, more, total: matching.length };
}

export function compareRows(a: AnyRow, b: AnyRow, order: readonly (readonly [string, 'asc' | 'desc'])[]): number {
  for (const [column, direction] of order) {
    const difference = compare(a[column], b[column]);
    if (difference !== 0) return direction === 'asc' ? difference : -difference;
  }
  return 0;
}

export function passes(row: AnyRow, filter: Filter, argument: unknown): boolean {
  if ('eq' in filter) return row[filter.eq] === argument;
  if ('anyOf' in filter) return (argument as unknown[]).includes(row[filter.anyOf]);
  if ('gte' in filter) return row[filter.gte] !== null && compare(row[filter.gte], argument) >= 0;
  if ('lt' in filter) return row[filter.lt] !== null && compare(row[filter.lt], argument) < 0;
  if ('entries' in filter) {
    const entries = new Map(entriesOf(row[filter.entries]));
    return Object.entries(argument as object).every(([key, value]) => entries.get(key) === value);
  }
  const needle = folded(argument as string);
  return filter.contains.some((column) => {
    const value: unknown = row[column];
    return typeof value === 'string' && folded(value).includes(needle);
  });
}

/** Compares values: null comes first, texts are compared by code point, which is the order of their UTF-8 bytes. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) < Number(b) ? -1 : 1;
}

const folded = (text: string) =>
  [...text].map((point) => (point >= 'A' && point <= 'Z' ? point.toLowerCase() : point)).join('');
