import type { Knex } from 'knex';
import type { ClientConfig } from 'pg';
import type { KnexTuning } from './tuning.js';

/** Where `knexStorage` keeps its tables. */
export type KnexOptions = SqliteOptions | PostgresOptions | ExternalKnexOptions;

interface CommonOptions {
  /** Stands before the name of every table and index, so that they can live in the host's own database. `millrace_` if absent. */
  readonly tablePrefix?: string;
  /** Switches for the mechanisms that make the storage faster. */
  readonly tuning?: KnexTuning;
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

/** A PostgreSQL database, in which the tables stand in the first schema of the search path. */
export interface PostgresOptions extends CommonOptions, PostgresBehaviourOptions {
  readonly client: 'postgres';
  /** `postgres://user:password@host:port/database`, or the settings of a client of `pg`. */
  readonly connection: string | ClientConfig;
  readonly pool?: PoolOptions;
  /**
   * Standby servers that answer reads, as `connection` names them. What this process has written it always sees; what
   * others have written, as late as the standby replays it, a token that was revoked among it.
   */
  readonly replicas?: readonly (string | ClientConfig)[];
  /** Milliseconds after which the server gives up on a statement; 10,000 if absent, 0 for never. */
  readonly statementTimeout?: number;
}

/** Connections that are held open. */
export interface PoolOptions {
  /** The fewest connections to hold; 0 if absent. */
  readonly min?: number;
  /** The most connections to hold; 10 if absent. */
  readonly max?: number;
  /** Milliseconds to wait for a connection to become free; 2,000 if absent. */
  readonly acquireTimeout?: number;
}

interface PostgresBehaviourOptions {
  /**
   * Whether statements are prepared, true if absent: small ones are twice as fast. With `false` nothing is kept on a
   * connection, neither statements nor settings, as a pooler in transaction mode asks for.
   */
  readonly prepare?: boolean;
  /** Decides how long to wait before trying again, and in which slots to count, from 0 to 1; `Math.random` if absent. */
  readonly random?: () => number;
  /** Waits so many milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/**
 * The host's own Knex instance (client `sqlite3` or `pg`), or an open transaction of it: then every commit becomes a part
 * of that transaction, and is undone with it. Its settings stay as the host made them, and closing the storage leaves it
 * open. What concerns PostgreSQL is left alone by SQLite.
 */
export interface ExternalKnexOptions extends CommonOptions, PostgresBehaviourOptions {
  readonly knex: Knex;
}
