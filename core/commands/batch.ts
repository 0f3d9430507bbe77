import { type EntityName, entities, type Row } from '../model/index.js';
import type { Batch, Insert, Reference, Remove, Replace } from '../ports/index.js';

/** A batch with these parts; the others are empty. */
export const batch = (parts: Partial<Batch>): Batch => ({
  expect: [],
  insert: [],
  replace: [],
  touch: [],
  remove: [],
  events: [],
  ...parts,
});

/** The union of batches. A touch is left out if another batch replaces or removes the record. */
export function merge(...parts: readonly Partial<Batch>[]): Batch {
  const replace = parts.flatMap((part) => part.replace ?? []);
  const remove = parts.flatMap((part) => part.remove ?? []);
  const changed = new Set([...replace.map(({ row }) => row.id), ...remove.map(({ id }) => id)]);
  const touched = new Map(parts.flatMap((part) => part.touch ?? []).map((touch) => [touch.id, touch]));
  return batch({
    expect: parts.flatMap((part) => part.expect ?? []),
    insert: parts.flatMap((part) => part.insert ?? []),
    replace,
    touch: [...touched.values()].filter(({ id }) => !changed.has(id)),
    remove,
    events: parts.flatMap((part) => part.events ?? []),
  });
}

/** A record without the columns that `insert` and `replace` set. */
export type New<E extends EntityName> = Omit<Row<E>, 'version'>;

/** The insertion of a new record. */
export const insert = <E extends EntityName>(entity: E, row: New<E>): Insert =>
  ({ entity, row: { ...ownColumns(entity, row), version: 1 } }) as unknown as Insert;

/** Replaces some columns of a record, expecting that it is still at this version. */
export const replace = <E extends EntityName>(
  entity: E,
  row: New<E> & { readonly version: number },
  changes: Partial<New<E>> = {},
): Replace =>
  ({ entity, row: { ...ownColumns(entity, row), ...changes, version: row.version + 1 } }) as unknown as Replace;

/** The columns of a row without the relations it was loaded with. */
const ownColumns = <E extends EntityName>(entity: E, row: object): Row<E> =>
  Object.fromEntries(
    Object.keys(entities[entity].columns).map((column) => [column, (row as Record<string, unknown>)[column]]),
  ) as Row<E>;

/** Removes a record, expecting that it is still at this version. */
export const remove = (entity: EntityName, row: { readonly id: string; readonly version: number }): Remove => ({
  entity,
  id: row.id,
  version: row.version,
});

/** Expects that a record is unchanged since it was read. */
export const unchanged = remove;

export const reference = (entity: EntityName, row: { readonly id: string }): Reference => ({ entity, id: row.id });
