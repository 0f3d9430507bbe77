import type { ColumnType, Tally } from '../schema/schema.js';
import type { Step } from './migration.js';

/** A new table. Columns are written as `name type, name type`; the key is `id` unless another one is named. */
export const table = (name: string, columns: string, key: readonly string[] = ['id']): Step => ({
  create: name,
  table: { columns: Object.fromEntries(list(columns).map((column) => column.split(' ') as [string, ColumnType])), key },
});

/** A new column; only a nullable one can be added to a table that has rows. */
export const column = (to: string, name: string, type: ColumnType & `${string}?`): Step => ({ add: name, to, type });

/** A new index on columns written as `name, name desc`. */
export const index = (name: string, on: string, columns: string): Step => ({
  index: name,
  as: { on, columns: list(columns) },
});

export const unique = (name: string, on: string, columns: string): Step => ({
  index: name,
  as: { on, columns: list(columns), unique: true },
});

/** A new tally of a table, counted for each owner. */
export const tally = (name: string, on: string, owner: string, column: string, per: Tally['per']): Step => ({
  tally: name,
  as: { on, owner, column, per },
});

const list = (text: string) => text.split(',').map((part) => part.trim().replace(/\s+/g, ' '));
