import { deepStrictEqual, strictEqual } from 'node:assert';
import type { AnyRow } from '../arbitraries/rows.js';

/** Expects the same rows in the same order, with the same order of keys inside JSON values. */
export function expectSameRows(actual: readonly unknown[], expected: readonly AnyRow[]): void {
  deepStrictEqual(actual, expected);
  strictEqual(serializeInOrder(actual, expected), serializeInOrder(expected, expected));
}

/** Rows as text with their columns in the order of the expected rows. Only the order of keys inside values is part of the contract. */
const serializeInOrder = (rows: readonly unknown[], like: readonly AnyRow[]): string =>
  JSON.stringify(
    rows.map((row, index) =>
      Object.keys(like[index] ?? {}).map((column) => (row as Readonly<Record<string, unknown>>)[column]),
    ),
  );

export const sortById = <T extends { readonly id: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
