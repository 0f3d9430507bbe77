import type { Filter } from '../../core/model/index.js';
import { compareValues } from './order.js';
import type { StoredRow } from './record.js';

export type Predicate = (row: StoredRow) => boolean;

/** The predicate of a declared filter with this argument. */
export function predicate(filter: Filter, argument: unknown): Predicate {
  if ('eq' in filter) return (row) => row[filter.eq] === argument;
  if ('anyOf' in filter) {
    const accepted = new Set(argument as readonly unknown[]);
    return (row) => accepted.has(row[filter.anyOf]);
  }
  if ('gte' in filter) return rangePredicate(filter.gte, (value) => compareValues(value, argument) >= 0);
  if ('lt' in filter) return rangePredicate(filter.lt, (value) => compareValues(value, argument) < 0);
  if ('entries' in filter) {
    const required = Object.entries(argument as Readonly<Record<string, string>>);
    return (row) => hasEntries(row[filter.entries], required);
  }
  const needle = lowerAscii(argument as string);
  const columns: readonly string[] = filter.contains;
  return (row) =>
    columns.some((column) => {
      const value = row[column];
      return typeof value === 'string' && lowerAscii(value).includes(needle);
    });
}

const rangePredicate =
  (column: string, isInRange: (value: unknown) => boolean): Predicate =>
  (row) =>
    row[column] !== null && isInRange(row[column]);

function hasEntries(value: unknown, required: readonly (readonly [string, string])[]): boolean {
  if (required.length === 0) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return required.every(([key, text]) => Object.hasOwn(value, key) && (value as Record<string, unknown>)[key] === text);
}

/** Lower-cases ASCII letters only: all databases agree on those. */
const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
