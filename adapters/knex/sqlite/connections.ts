import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from 'sqlite3';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { Lanes, type Taken } from '../lanes.js';
import type { LentOptions, SqliteOptions } from '../options.js';
import { isBusy, translated } from './errors.js';
import { Session } from './session.js';
import { type Brackets, Writer } from './writer.js';

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
  readonly #queue = new Writer((work) =>
    this.#patiently(async () => {
      const knex = await this.#writing();
      await this.#with(knex, (session) => work(session, knex.isTransaction ? nested : outermost));
    }),
  );
  readonly #sessions = new Map<Database, Session>();
  /** Readers that several callers share: not those of a host, nor the one connection of a database in memory. */
  readonly #lanes: Lanes<Session> | undefined;
  #writer: Promise<Knex> | undefined;
  #reader: Promise<Knex> | undefined;
  #open = true;

  constructor(options: SqliteOptions | LentOptions) {
    this.#options = options;
    this.owned = !('knex' in options);
    this.place = 'knex' in options ? placeOf(options.knex) : options.filename;
    this.inFile = this.place !== ':memory:' && this.place !== '';
    if (this.owned && this.inFile) {
      this.#lanes = new Lanes(async () => this.#take(await this.#reading()), this.#readers(), 1);
    }
    this.#patience = ('busyTimeout' in options ? options.busyTimeout : undefined) ?? 5_000;
  }

  /** Work that only reads. Each statement of it sees everything that was committed before it began. */
  read<T>(work: Work<T>): Promise<T> {
    if (this.#lanes === undefined) return this.#patiently(async () => this.#with(await this.#reading(), work));
    const lanes = this.#lanes;
    return this.#patiently(() => lanes.share(work));
  }

  /** Work outside any transaction on the connection that writes. */
  directly<T>(work: Work<T>): Promise<T> {
    return this.#patiently(async () => this.#with(await this.#writing(), work));
  }

  /**
   * Work inside a transaction that has the write lock from its beginning: with a plain BEGIN two processes would both
   * read, and one would be refused when it comes to write. What it did is kept if `keep` says so of the result.
   */
  transaction<T>(work: Work<T>, keep: (result: T) => boolean = () => true): Promise<T> {
    return this.#queue.transaction(work, keep);
  }

  async close(): Promise<void> {
    this.#open = false;
    // The last connection to close puts the log away; of several that close at once, none does. So the one that writes is last.
    for (const knex of new Set(await Promise.all([this.#reader, this.#writer]))) {
      if (this.owned) await knex?.destroy();
      else knex?.client.pool?.removeListener('destroyRequest', this.#onDestroy);
    }
    for (const database of [...this.#sessions.keys()]) this.#letGo(database);
  }

  async #with<T>(knex: Knex, work: Work<T>): Promise<T> {
    const { session, release } = await this.#take(knex);
    try {
      return await work(session);
    } finally {
      await release();
    }
  }

  async #take(knex: Knex): Promise<Taken<Session>> {
    const database: Database = await knex.client.acquireConnection();
    let session = this.#sessions.get(database);
    if (session === undefined) {
      session = new Session(database);
      this.#sessions.set(database, session);
    }
    const release = () => {
      if (!this.#open) this.#letGo(database);
      return knex.client.releaseConnection(database);
    };
    return { session, release };
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
    const made = 'knex' in this.#options ? this.#options.knex : await this.#own(this.#options.filename, size, readOnly);
    // A pool may close a connection at any time, and cannot while statements are open on it.
    made.client.pool?.on('destroyRequest', this.#onDestroy);
    return made;
  }

  async #own(filename: string, size: number, readOnly: boolean): Promise<Knex> {
    const { default: knex } = await import('knex');
    const pragmas = `pragma synchronous = full; pragma query_only = ${readOnly ? 1 : 0};`;
    return knex({
      client: 'sqlite3',
      connection: { filename },
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

  readonly #onDestroy = (_event: number, database: Database): void => this.#letGo(database);

  /** Gives our statements on a connection back. */
  #letGo(database: Database): void {
    this.#sessions.get(database)?.finish();
    this.#sessions.delete(database);
  }
}

const quiet = () => undefined;

const outermost: Brackets = { begin: 'begin immediate', commit: 'commit', rollback: ['rollback'] };
const nested: Brackets = {
  begin: 'savepoint "millrace"',
  commit: 'release "millrace"',
  rollback: ['rollback to "millrace"', 'release "millrace"'],
};

function placeOf(knex: Knex): string {
  const connection: unknown = knex.client.config?.connection;
  if (typeof connection === 'string') return connection;
  if (typeof connection === 'object' && connection !== null && 'filename' in connection) {
    return String(connection.filename);
  }
  return 'of the lent Knex instance';
}
