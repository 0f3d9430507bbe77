import type { Knex } from 'knex';
import type { ClientConfig } from 'pg';
import type { KnexTuning } from './tuning.js';

/** Where `knexStorage` keeps its tables. */
export type KnexOptions = SqliteOptions | PostgresOptions | ExternalKnexOptions;

interface CommonOptions {
  /** Prefix of the name of every table and index, so that they fit into the host's own database. `millrace_` if absent. */
  readonly tablePrefix?: string;
  /** Switches for the mechanisms that make the storage faster. */
  readonly tuning?: KnexTuning;
}

/** A SQLite database of the storage's own. */
export interface SqliteOptions extends CommonOptions {
  readonly client: 'sqlite';
  /** Path of the database file, created if it is absent; `:memory:` for a database that ends with the storage. */
  readonly filename: string;
  /** Milliseconds to wait for another process that is writing; 5,000 if absent. */
  readonly busyTimeout?: number;
  /** Connections for reading beside the one that writes; 3 if absent. */
  readonly readers?: number;
}

/** A PostgreSQL database; the tables are in the first schema of the search path. */
export interface PostgresOptions extends CommonOptions, PostgresBehaviourOptions {
  readonly client: 'postgres';
  /** `postgres://user:password@host:port/database`, or the settings of a client of `pg`. */
  readonly connection: string | ClientConfig;
  readonly pool?: PoolOptions;
  /**
   * Standby servers that answer reads, in the form of `connection`. A process always sees its own writes. It sees those of
   * other processes as late as the standby replays them: a revoked token, for example.
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
   * Whether statements are prepared; `true` if absent. Small statements are twice as fast when prepared. With `false` nothing
   * is kept on a connection, neither statements nor settings, as a pooler in transaction mode requires.
   */
  readonly prepare?: boolean;
  /** A number from 0 to 1 for the wait before a retry and for the choice of counter slots; `Math.random` if absent. */
  readonly random?: () => number;
  /** Waits that many milliseconds before a retry; a timer if absent. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/**
 * The host's own Knex instance (client `sqlite3` or `pg`), or an open transaction of it: then every commit becomes part of
 * that transaction and is rolled back with it. The settings of the instance stay as the host made them, and closing the
 * storage leaves it open. SQLite ignores the options for PostgreSQL.
 */
export interface ExternalKnexOptions extends CommonOptions, PostgresBehaviourOptions {
  readonly knex: Knex;
}
