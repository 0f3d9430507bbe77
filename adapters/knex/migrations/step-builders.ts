import type { ColumnType, Counter } from '../schema/schema.js';
import type { MigrationStep } from './migration.js';

/** A new table. Columns are written as `name type, name type`; the key is `id` unless another one is named. */
export const table = (name: string, columns: string, key: readonly string[] = ['id']): MigrationStep => ({
  create: name,
  table: {
    columns: Object.fromEntries(splitList(columns).map((column) => column.split(' ') as [string, ColumnType])),
    key,
  },
});

/** A new column; only a nullable one can be added to a table that has rows. */
export const column = (to: string, name: string, type: ColumnType & `${string}?`): MigrationStep => ({
  add: name,
  to,
  type,
});

/** A new index on columns written as `name, name desc`. */
export const index = (name: string, on: string, columns: string): MigrationStep => ({
  index: name,
  as: { on, columns: splitList(columns) },
});

export const unique = (name: string, on: string, columns: string): MigrationStep => ({
  index: name,
  as: { on, columns: splitList(columns), unique: true },
});

/** A new counter of a table, counted for each owner. */
export const counter = (
  name: string,
  on: string,
  owner: string,
  column: string,
  bucket: Counter['bucket'],
): MigrationStep => ({
  counter: name,
  as: { on, owner, column, bucket },
});

const splitList = (text: string) => text.split(',').map((part) => part.trim().replace(/\s+/g, ' '));
