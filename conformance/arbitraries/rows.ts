import fc from 'fast-check';
import { type Column, type EntityName, entities } from '../../core/model/index.js';
import { idOf } from './ids.js';
import { valueFor } from './values.js';

export type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** A row of an entity with generated content, the id for `number`, and version 1. */
export function rowOf(entity: EntityName, number: number): fc.Arbitrary<AnyRow> {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  const values = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, valueFor(column)]));
  return fc.record(values).map((row) => ({ ...row, id: idOf(number), version: 1 }));
}

/** Rows of an entity with the ids for 1 to `count`, in any order. Rows that would repeat a unique key are left out. */
export function rowsOf(entity: EntityName, count: number): fc.Arbitrary<AnyRow[]> {
  const rows = fc.tuple(...Array.from({ length: count }, (_, index) => rowOf(entity, index + 1)));
  return rows
    .map((list) => withoutDuplicates(entity, list))
    .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
}

/** Leaves out rows that repeat the unique key of an earlier row. */
export function withoutDuplicates(entity: EntityName, rows: readonly AnyRow[]): AnyRow[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const keys = Object.entries(entities[entity].unique)
      .filter(([, columns]) => columns.every((column) => row[column] !== null))
      .map(([key, columns]) => JSON.stringify([key, ...columns.map((column) => row[column])]));
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}
