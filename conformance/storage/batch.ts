import { deepStrictEqual } from 'node:assert';
import type { EntityName } from '../../core/model/index.js';
import type { Batch, Committed, Insert, Storage } from '../../core/ports/index.js';
import { sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowOf } from '../arbitraries/rows.js';

/** A batch with only the given parts. */
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

/** Casts a row to its entity. Generated rows have the right columns, but the compiler cannot know that. */
export const entityRow = (entity: EntityName, row: AnyRow): Insert => ({ entity, row }) as unknown as Insert;

/** A row of an entity with these columns. All others have fixed values. */
export const row = <C extends Readonly<Record<string, unknown>>>(entity: EntityName, number: number, columns: C) =>
  ({ ...sampleOne(rowOf(entity, number)), ...columns }) as AnyRow & C;

/** The next version of a row with these columns changed. */
export const nextVersion = <R extends AnyRow>(before: R, columns: Readonly<Record<string, unknown>> = {}): R => ({
  ...before,
  ...columns,
  version: before.version + 1,
});

/** Commits a batch that must succeed. */
export async function expectCommit(storage: Storage, parts: Partial<Batch>): Promise<void> {
  deepStrictEqual(await storage.commit(batchOf(parts)), committed);
}
