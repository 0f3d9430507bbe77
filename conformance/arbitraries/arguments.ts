import fc from 'fast-check';
import type { Definition, Filter } from '../../core/model/index.js';
import type { Window } from '../../core/ports/index.js';
import type { AnyRow } from './rows.js';
import { anyText } from './texts.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments for the scope and the named filters of a query. Most of them match some of the rows. */
export function argumentsOf(
  query: Definition,
  names: readonly string[],
  rows: readonly AnyRow[],
): fc.Arbitrary<Arguments> {
  const filters = { ...query.scope, ...query.filters };
  const chosen = [...Object.keys(query.scope), ...names];
  return fc
    .constantFrom(...rows)
    .chain((row) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, argumentOf(filters[name] as Filter, row, rows)]))),
    );
}

/** A window on `count` matching rows. Offset and limit may lie past the last row. */
export const windowOf = (count: number): fc.Arbitrary<Window> =>
  fc.record(
    {
      offset: fc.nat({ max: count + 2 }),
      limit: fc.nat({ max: count + 2 }),
      countUpTo: fc.nat({ max: count + 2 }),
    },
    { requiredKeys: ['offset', 'limit'] },
  );

/** An argument for a filter. Usually this row passes it, so that several filters together still find something. */
function argumentOf(filter: Filter, row: AnyRow, rows: readonly AnyRow[]): fc.Arbitrary<unknown> {
  if ('entries' in filter) return someEntriesOf(row[filter.entries]);
  if ('contains' in filter) return substringOf(filter.contains.map((column) => row[column]));
  const column: string =
    'eq' in filter ? filter.eq : 'anyOf' in filter ? filter.anyOf : 'gte' in filter ? filter.gte : filter.lt;
  const values = rows.map((other) => other[column]);
  if ('anyOf' in filter) {
    const value = fc.oneof(
      { weight: 2, arbitrary: fc.constant(row[column]) },
      { weight: 3, arbitrary: fc.constantFrom(...values) },
    );
    return fc.array(value, { maxLength: 5 });
  }
  if ('eq' in filter) {
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(row[column]) },
      { weight: 1, arbitrary: fc.constantFrom(...values) },
    );
  }
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? fc.constant('2026-01-01T00:00:00.000Z') : fc.constantFrom(...present);
}

/** The entries of a JSON value that a filter can match: those of an object whose values are text. */
export function entriesOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** Some entries of the value, the same with one entry that the value does not have, or unrelated entries. */
function someEntriesOf(value: unknown): fc.Arbitrary<unknown> {
  const own = fc.subarray(entriesOf(value)).map((some) => Object.fromEntries(some));
  const other = fc.record({ key: fc.constantFrom('a', 'release', 'toString'), text: anyText() });
  return fc.oneof(
    { weight: 4, arbitrary: own },
    { weight: 2, arbitrary: fc.tuple(own, other).map(([some, { key, text }]) => ({ ...some, [key]: text })) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom('a', 'release', 'toString'), anyText(), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    },
  );
}

function substringOf(values: readonly unknown[]): fc.Arbitrary<string> {
  const texts = values.filter((value) => typeof value === 'string');
  const part = fc.tuple(fc.constantFrom('', ...texts), fc.nat(8), fc.nat(8)).map(([text, from, length]) => {
    const points = [...text];
    return points.slice(from % (points.length + 1), (from % (points.length + 1)) + length).join('');
  });
  return fc.oneof(part, part.map(swapCase), anyText());
}

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
