import { type EntityName, entities, type Row } from '../model/index.js';
import type { Batch, Insert, Reference, Remove, Replace } from '../ports/index.js';

/** A batch of what is given; all else is empty. */
export const batch = (parts: Partial<Batch>): Batch => ({
  expect: [],
  insert: [],
  replace: [],
  touch: [],
  remove: [],
  events: [],
  ...parts,
});

/** A batch that does what all of these do. */
export const merge = (...parts: readonly Partial<Batch>[]): Batch =>
  batch({
    expect: parts.flatMap((part) => part.expect ?? []),
    insert: parts.flatMap((part) => part.insert ?? []),
    replace: parts.flatMap((part) => part.replace ?? []),
    touch: parts.flatMap((part) => part.touch ?? []),
    remove: parts.flatMap((part) => part.remove ?? []),
    events: parts.flatMap((part) => part.events ?? []),
  });

/** A record without the columns that storages and `replace` look after. */
export type New<E extends EntityName> = Omit<Row<E>, 'version'>;

/** The insertion of a new record. */
export const insert = <E extends EntityName>(entity: E, row: New<E>): Insert =>
  ({ entity, row: { ...ownColumns(entity, row), version: 1 } }) as unknown as Insert;

/** The record with some columns changed, provided that nobody else changes it first. */
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

/** The removal of a record, provided that nobody changes it first. */
export const remove = (entity: EntityName, row: { readonly id: string; readonly version: number }): Remove => ({
  entity,
  id: row.id,
  version: row.version,
});

/** That a record is still as it was read. */
export const unchanged = remove;

export const reference = (entity: EntityName, row: { readonly id: string }): Reference => ({ entity, id: row.id });
