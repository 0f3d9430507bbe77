import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from 'sqlite3';
import { StorageUnavailable } from '../../../core/ports/index.js';
import type { LentOptions, SqliteOptions } from '../options.js';
import { isBusy, translated } from './errors.js';
import { Session } from './session.js';

type Work<T> = (session: Session) => Promise<T>;

/**
 * The connections of a storage: one that writes, so that writers of this process queue up instead of fighting for the
 * lock of the file, and some that read beside it. A database in memory has one connection for both.
 */
export class Connections {
  /** What error messages call the database. */
  readonly place: string;
  /** Whether this storage made the connections, and may set them up as it likes. */
  readonly owned: boolean;
  /** Whether the data outlives the connections. */
  readonly inFile: boolean;
  readonly #options: SqliteOptions | LentOptions;
  readonly #patience: number;
  readonly #sessions = new Map<Database, Session>();
  #writer: Promise<Knex> | undefined;
  #reader: Promise<Knex> | undefined;
  #open = true;

  constructor(options: SqliteOptions | LentOptions) {
    this.#options = options;
    this.owned = !('knex' in options);
    this.place = 'knex' in options ? placeOf(options.knex) : options.filename;
    this.inFile = this.place !== ':memory:' && this.place !== '';
    this.#patience = ('busyTimeout' in options ? options.busyTimeout : undefined) ?? 5_000;
  }

  /** Work that only reads. Each statement of it sees everything that was committed before it began. */
  read<T>(work: Work<T>): Promise<T> {
    return this.#patiently(async () => this.#with(await this.#reading(), work));
  }

  /** Work outside any transaction on the connection that writes. */
  directly<T>(work: Work<T>): Promise<T> {
    return this.#patiently(async () => this.#with(await this.#writing(), work));
  }

  /**
   * Work inside a transaction that has the write lock from its beginning: with a plain BEGIN two processes would both
   * read, and one would be refused when it comes to write. It is committed if `keep` says so of the result.
   */
  transaction<T>(work: Work<T>, keep: (result: T) => boolean = () => true): Promise<T> {
    return this.#patiently(async () => {
      const knex = await this.#writing();
      const [begin, commit, ...rollback] = knex.isTransaction ? nested : outermost;
      return this.#with(knex, async (session) => {
        await session.run(begin);
        try {
          const result = await work(session);
          if (keep(result)) await session.run(commit);
          else for (const statement of rollback) await session.run(statement);
          return result;
        } catch (error) {
          // The first error is the one to tell; SQLite has rolled back by itself after some of them.
          for (const statement of rollback) await session.run(statement).catch(() => undefined);
          throw error;
        }
      });
    });
  }

  async close(): Promise<void> {
    this.#open = false;
    const made = [...new Set(await Promise.all([this.#writer, this.#reader]))].filter((knex) => knex !== undefined);
    for (const session of this.#sessions.values()) session.finish();
    this.#sessions.clear();
    if (!this.owned) return;
    // The last connection to close puts the log away; of two that close at once, neither does. So the one that writes is last.
    for (const knex of made.reverse()) await knex.destroy();
  }

  async #with<T>(knex: Knex, work: Work<T>): Promise<T> {
    const database: Database = await knex.client.acquireConnection();
    try {
      let session = this.#sessions.get(database);
      if (session === undefined) {
        session = new Session(database);
        this.#sessions.set(database, session);
      }
      return await work(session);
    } finally {
      await knex.client.releaseConnection(database);
      if (!this.#open) {
        this.#sessions.get(database)?.finish();
        this.#sessions.delete(database);
      }
    }
  }

  /** SQLite waits for a lock by itself, except where it fears a deadlock; there it says "busy" at once. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#patience;
    for (;;) {
      if (!this.#open) throw new StorageUnavailable(`The storage on ${this.place} is closed`);
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw translated(error, this.place);
      }
      await pause(10);
    }
  }

  #writing(): Promise<Knex> {
    this.#writer ??= this.#made(1, false);
    return this.#writer;
  }

  #reading(): Promise<Knex> {
    this.#reader ??= this.owned && this.inFile ? this.#made(this.#readers(), true) : this.#writing();
    return this.#reader;
  }

  #readers(): number {
    return ('readers' in this.#options ? this.#options.readers : undefined) ?? 3;
  }

  async #made(size: number, readOnly: boolean): Promise<Knex> {
    if ('knex' in this.#options) return this.#lent(this.#options.knex);
    const { default: knex } = await import('knex');
    const pragmas = `pragma synchronous = full; pragma query_only = ${readOnly ? 1 : 0};`;
    return knex({
      client: 'sqlite3',
      connection: { filename: this.#options.filename },
      useNullAsDefault: true,
      // What goes wrong is thrown, and told by whoever catches it.
      log: { error: quiet, warn: quiet },
      pool: {
        min: size,
        max: size,
        afterCreate: (database: Database, done: (error: Error | null) => void) => {
          database.configure('busyTimeout', this.#patience);
          database.exec(pragmas, done);
        },
      },
    });
  }

  /** The host's pool may close a connection at any time, and cannot while our statements are open on it. */
  #lent(knex: Knex): Knex {
    knex.client.pool?.on('destroyRequest', (_event: number, database: Database) => {
      this.#sessions.get(database)?.finish();
      this.#sessions.delete(database);
    });
    return knex;
  }
}

const quiet = () => undefined;

const outermost = ['begin immediate', 'commit', 'rollback'] as const;
const nested = ['savepoint millrace', 'release millrace', 'rollback to millrace', 'release millrace'] as const;

function placeOf(knex: Knex): string {
  const connection: unknown = knex.client.config?.connection;
  if (typeof connection === 'string') return connection;
  if (typeof connection === 'object' && connection !== null && 'filename' in connection) {
    return String(connection.filename);
  }
  return 'of the lent Knex instance';
}
