import type { ColumnKind } from '../../../core/model/index.js';

/**
 * A database schema as plain data, the same for every database. Table and index names are without the prefix that the
 * embedder chose.
 */
export interface Schema {
  readonly tables: Readonly<Record<string, Table>>;
  readonly indexes: Readonly<Record<string, Index>>;
  readonly counters: Readonly<Record<string, Counter>>;
}

/**
 * A counter. The table `tallies` holds all of them: the records of a table for each value of the column `owner`, told apart by the value of
 * another column, or by the day or month of a time.
 */
export interface Counter {
  readonly on: string;
  readonly owner: string;
  readonly column: string;
  readonly bucket: 'value' | 'day' | 'month';
}

export interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
}

/** A kind of column, with `?` where null is allowed. A `counter` numbers the rows and never uses a number twice. */
export type ColumnType = ColumnKind | `${ColumnKind}?` | 'counter';

export interface Index {
  readonly on: string;
  /** Column names, followed by ` desc` where the direction differs from that of the first ordered column. */
  readonly columns: readonly string[];
  readonly unique?: true;
}
