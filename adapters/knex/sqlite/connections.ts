import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from 'sqlite3';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { type ConnectionLease, ConnectionSharer } from '../connection-sharer.js';
import type { ExternalKnexOptions, SqliteOptions } from '../options.js';
import { acquireRawConnection } from '../raw-connection.js';
import { defaultTuning, type Tuning } from '../tuning.js';
import { isBusy, translateError } from './errors.js';
import { Session } from './session.js';
import { type TransactionStatements, WriteQueue } from './write-queue.js';

type Work<T> = (session: Session) => Promise<T>;

/**
 * The connections of a storage: one that writes, so that writers of this process queue up instead of fighting for the
 * lock of the file, and some that only read. A database in memory has one connection for both.
 */
export class Connections {
  /** What error messages call the database. */
  readonly location: string;
  /** Whether this storage made the connections, and may set them up as it likes. */
  readonly owned: boolean;
  /** Whether the data outlives the connections. */
  readonly inFile: boolean;
  readonly #options: SqliteOptions | ExternalKnexOptions;
  readonly #busyTimeout: number;
  readonly #writeQueue: WriteQueue;
  readonly #sessions = new Map<Database, Session>();
  /** Readers that several callers share: not those of a host, nor the one connection of a database in memory. */
  readonly #sharer: ConnectionSharer<Session> | undefined;
  #writerKnex: Promise<Knex> | undefined;
  #readerKnex: Promise<Knex> | undefined;
  #isOpen = true;

  constructor(options: SqliteOptions | ExternalKnexOptions, { maxPipelined, groupCommits }: Tuning = defaultTuning) {
    this.#options = options;
    this.owned = !('knex' in options);
    this.location = 'knex' in options ? locationOf(options.knex) : options.filename;
    this.inFile = this.location !== ':memory:' && this.location !== '';
    if (this.owned && this.inFile && maxPipelined > 1) {
      this.#sharer = new ConnectionSharer(
        async () => this.#acquire(await this.#getReaderKnex()),
        this.#readerCount(),
        1,
      );
    }
    this.#writeQueue = new WriteQueue(
      (work) =>
        this.#retryWhileBusy(async () => {
          const knex = await this.#getWriterKnex();
          await this.#withSession(knex, (session) => work(session, knex.isTransaction ? savepoint : rootTransaction));
        }),
      groupCommits ? maxGroupedCommits : 1,
    );
    this.#busyTimeout = ('busyTimeout' in options ? options.busyTimeout : undefined) ?? 5_000;
  }

  /** Work that only reads. Each statement of it sees everything that was committed before it began. */
  read<T>(work: Work<T>): Promise<T> {
    if (this.#sharer === undefined)
      return this.#retryWhileBusy(async () => this.#withSession(await this.#getReaderKnex(), work));
    const sharer = this.#sharer;
    return this.#retryWhileBusy(() => sharer.share(work));
  }

  /** Work outside any transaction on the connection that writes. */
  withoutTransaction<T>(work: Work<T>): Promise<T> {
    return this.#retryWhileBusy(async () => this.#withSession(await this.#getWriterKnex(), work));
  }

  /**
   * Work inside a transaction that has the write lock from its beginning: with a plain BEGIN two processes would both
   * read, and the second one would be refused its write. The transaction is committed if `shouldCommit` returns true for the result.
   */
  transaction<T>(work: Work<T>, shouldCommit: (result: T) => boolean = () => true): Promise<T> {
    return this.#writeQueue.transaction(work, shouldCommit);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    // SQLite removes the write-ahead log when the last connection closes, but not when several close at once. So the writer closes last.
    for (const knex of new Set(await Promise.all([this.#readerKnex, this.#writerKnex]))) {
      if (this.owned) await knex?.destroy();
      else knex?.client.pool?.removeListener('destroyRequest', this.#onDestroy);
    }
    for (const database of [...this.#sessions.keys()]) this.#disposeSession(database);
  }

  async #withSession<T>(knex: Knex, work: Work<T>): Promise<T> {
    const { session, release } = await this.#acquire(knex);
    try {
      return await work(session);
    } finally {
      await release();
    }
  }

  async #acquire(knex: Knex): Promise<ConnectionLease<Session>> {
    const { connection: database, release: releaseConnection } = await acquireRawConnection<Database>(knex);
    let session = this.#sessions.get(database);
    if (session === undefined) {
      session = new Session(database);
      this.#sessions.set(database, session);
    }
    const release = () => {
      if (!this.#isOpen) this.#disposeSession(database);
      return releaseConnection();
    };
    return { session, release };
  }

  /** SQLite waits for a lock by itself, except where it fears a deadlock; there it says "busy" at once. */
  async #retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#busyTimeout;
    for (;;) {
      if (!this.#isOpen) throw new StorageUnavailable(`The storage on ${this.location} is closed`);
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw translateError(error, this.location);
      }
      await pause(10);
    }
  }

  #getWriterKnex(): Promise<Knex> {
    this.#writerKnex ??= this.#openKnex(1, false);
    return this.#writerKnex;
  }

  #getReaderKnex(): Promise<Knex> {
    this.#readerKnex ??= this.owned && this.inFile ? this.#openKnex(this.#readerCount(), true) : this.#getWriterKnex();
    return this.#readerKnex;
  }

  #readerCount(): number {
    return ('readers' in this.#options ? this.#options.readers : undefined) ?? 3;
  }

  async #openKnex(size: number, readOnly: boolean): Promise<Knex> {
    const instance =
      'knex' in this.#options ? this.#options.knex : await this.#createPool(this.#options.filename, size, readOnly);
    // A pool may close a connection at any time, and cannot while statements are open on it.
    instance.client.pool?.on('destroyRequest', this.#onDestroy);
    return instance;
  }

  async #createPool(filename: string, size: number, readOnly: boolean): Promise<Knex> {
    const { default: knex } = await import('knex');
    const pragmas = `pragma synchronous = full; pragma query_only = ${readOnly ? 1 : 0};`;
    return knex({
      client: 'sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      // Errors are thrown to the caller, which reports them. Knex should not log them as well.
      log: { error: noop, warn: noop },
      pool: {
        min: size,
        max: size,
        afterCreate: (database: Database, done: (error: Error | null) => void) => {
          database.configure('busyTimeout', this.#busyTimeout);
          database.exec(pragmas, done);
        },
      },
    });
  }

  readonly #onDestroy = (_event: number, database: Database): void => this.#disposeSession(database);

  /** Finalizes the statements that the storage prepared on a connection. */
  #disposeSession(database: Database): void {
    this.#sessions.get(database)?.finalizeAll();
    this.#sessions.delete(database);
  }
}

/** More would keep the others waiting, in this process and in others. */
const maxGroupedCommits = 16;

const noop = () => undefined;

const rootTransaction: TransactionStatements = { begin: 'begin immediate', commit: 'commit', rollback: ['rollback'] };
const savepoint: TransactionStatements = {
  begin: 'savepoint "millrace"',
  commit: 'release "millrace"',
  rollback: ['rollback to "millrace"', 'release "millrace"'],
};

function locationOf(knex: Knex): string {
  const connection: unknown = knex.client.config?.connection;
  if (typeof connection === 'string') return connection;
  if (typeof connection === 'object' && connection !== null && 'filename' in connection) {
    return String(connection.filename);
  }
  return 'of the lent Knex instance';
}
