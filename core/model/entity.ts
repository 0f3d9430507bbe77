import { type Column, id, integer } from './column.js';

/**
 * An entity as storages see it: named columns, and unique keys. A unique key is a set of columns in which no two records may
 * have the same values. It does not apply to records with a null in one of these columns.
 */
export interface Entity<C extends Columns = Columns> {
  readonly columns: C;
  readonly unique: Readonly<Record<string, readonly string[]>>;
}

export type Columns = Readonly<Record<string, Column>>;

/** Every record has these two columns. `version` starts at 1, and every change of the record increments it. */
const stamp = { id: id(), version: integer() };
type StampColumns = typeof stamp;

export type RowOf<E extends Entity> = {
  readonly [K in keyof E['columns']]: E['columns'][K] extends Column<infer T> ? T : never;
};

/** Declares an entity; `id` and `version` are added to its columns. */
export function entity<const C extends Columns>(
  columns: C,
  unique: Readonly<Record<string, readonly (keyof C & string)[]>> = {},
): Entity<StampColumns & C> {
  return { columns: { ...stamp, ...columns }, unique };
}
