import { deepStrictEqual } from 'node:assert';
import type { EntityName } from '../../core/model/index.js';
import type { Batch, Committed, Insert, Storage } from '../../core/ports/index.js';
import { sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowOf } from '../arbitraries/rows.js';

/** A batch that does only this. */
export const batchOf = (parts: Partial<Batch>): Batch => ({
  expect: [],
  insert: [],
  replace: [],
  touch: [],
  remove: [],
  events: [],
  ...parts,
});

export const committed: Committed = { done: true };

/** Generated rows fit their entity, but only at run time. */
export const entityRow = (entity: EntityName, row: AnyRow): Insert => ({ entity, row }) as unknown as Insert;

/** A row of that entity with these columns, and otherwise some fixed content. */
export const row = <C extends Readonly<Record<string, unknown>>>(entity: EntityName, number: number, columns: C) =>
  ({ ...sampleOne(rowOf(entity, number)), ...columns }) as AnyRow & C;

/** The row as its next version, with these columns changed. */
export const nextVersion = <R extends AnyRow>(before: R, columns: Readonly<Record<string, unknown>> = {}): R => ({
  ...before,
  ...columns,
  version: before.version + 1,
});

/** Commits what must go through. */
export async function expectCommit(storage: Storage, parts: Partial<Batch>): Promise<void> {
  deepStrictEqual(await storage.commit(batchOf(parts)), committed);
}
