import { deepStrictEqual, strictEqual } from 'node:assert';
import type { AnyRow } from '../arbitraries/rows.js';

/** The same rows in the same order, down to the order of keys inside JSON values. */
export function sameRows(actual: readonly unknown[], expected: readonly AnyRow[]): void {
  deepStrictEqual(actual, expected);
  strictEqual(ordered(actual, expected), ordered(expected, expected));
}

/** Rows as text, with their columns in the order of the expected ones: only the order inside values is part of the contract. */
const ordered = (rows: readonly unknown[], like: readonly AnyRow[]): string =>
  JSON.stringify(
    rows.map((row, place) =>
      Object.keys(like[place] ?? {}).map((column) => (row as Readonly<Record<string, unknown>>)[column]),
    ),
  );

export const byId = <T extends { readonly id: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
