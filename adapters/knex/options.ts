import type { Knex } from 'knex';

/** Where `knexStorage` keeps its tables. */
export type KnexOptions = SqliteOptions | LentOptions;

interface CommonOptions {
  /** Stands before the name of every table and index, so that they can live in the host's own database. `millrace_` if absent. */
  readonly tablePrefix?: string;
}

/** A SQLite database of its own. */
export interface SqliteOptions extends CommonOptions {
  readonly client: 'sqlite';
  /** Path of the database file, made if it is not there; `:memory:` for a database that ends with the storage. */
  readonly filename: string;
  /** Milliseconds to wait for another process that is writing; 5,000 if absent. */
  readonly busyTimeout?: number;
  /** Connections for reading beside the one that writes; 3 if absent. */
  readonly readers?: number;
}

/**
 * The host's own Knex instance (client `sqlite3`), or an open transaction of it: then every commit becomes a part of that
 * transaction, and is undone with it. Its settings stay as the host made them, and closing the storage leaves it open.
 */
export interface LentOptions extends CommonOptions {
  readonly knex: Knex;
}
