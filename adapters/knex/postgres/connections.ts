import type { Knex } from 'knex';
import type { Client } from 'pg';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { type ConnectionLease, ConnectionSharer } from '../connection-sharer.js';
import type { ExternalKnexOptions, PostgresOptions } from '../options.js';
import { acquireRawConnection } from '../raw-connection.js';
import { defaultTuning, type Tuning } from '../tuning.js';
import { isTransient, translateError } from './errors.js';
import { Mutex } from './mutex.js';
import { createPool, locationOf } from './pool.js';
import { type Rows, Session, type Statement } from './session.js';

type Work<T> = (session: Session) => Promise<T>;

/** The connections of a storage: a pool of its own, or what the host has lent. */
export class Connections {
  /** What error messages call the database. */
  readonly location: string;
  readonly #options: PostgresOptions | ExternalKnexOptions;
  readonly #prepare: boolean;
  readonly #sessions = new WeakMap<Client, Session>();
  readonly #transactionMutex = new Mutex();
  /** None where a connection may belong to others as well. */
  readonly #sharer: ConnectionSharer<Session> | undefined;
  /**
   * Counters are spread over slots, and readers add these up. A commit locks the row of a counter until it is on the disk:
   * with one row for each counter, all builds that are created in a pipeline would wait for each other. Each connection takes
   * the next slot, the first one at random: with 12 slots the ten connections of one process never meet.
   */
  readonly #counterSlots: number;
  #nextSlot: number;
  #knex: Promise<Knex> | undefined;
  #afterWrite: Work<void> | undefined;
  #isOpen = true;

  constructor(options: PostgresOptions | ExternalKnexOptions, { maxPipelined, counterSlots }: Tuning = defaultTuning) {
    this.#options = options;
    this.#prepare = options.prepare ?? true;
    const lanes =
      'knex' in options || !this.#prepare || maxPipelined === 1
        ? 0
        : Math.min(maxSharedConnections, Math.floor((options.pool?.max ?? 10) / 2));
    if (lanes > 0) this.#sharer = new ConnectionSharer(() => this.#acquire(), lanes, maxPipelined);
    this.#counterSlots = counterSlots;
    this.#nextSlot = Math.floor((options.random ?? Math.random)() * counterSlots);
    this.location = locationOf('knex' in options ? options.knex.client.config?.connection : options.connection);
  }

  /** One statement by itself. */
  query(statement: Statement): Promise<Rows> {
    return this.#runWithRetry((session) => session.query(statement));
  }

  /** Statements that only read, quickly and each for itself, in one trip. */
  pipelined(statements: readonly Statement[]): Promise<Rows[]> {
    if (this.#sharer === undefined) return this.#runWithRetry((session) => session.pipelined(statements));
    const lanes = this.#sharer;
    return this.#retry(() => lanes.share((session) => session.pipelined(statements)));
  }

  /**
   * Statements that change something, and count in the slot of their connection: all of them or none. One by itself needs
   * no brackets, unless the host may have set another default for transactions.
   */
  write(statements: (slot: number) => readonly Statement[]): Promise<Rows[]> {
    return this.#runWithRetry(async (session) => {
      try {
        const all = statements(session.slot);
        if (all.length === 1 && !('knex' in this.#options)) return await session.pipelined(all);
        return await session.transaction(all, this.#transactionStatements);
      } finally {
        await this.#afterWrite?.(session);
      }
    });
  }

  /** Runs work on a connection that no other caller uses at the same time. */
  exclusive<T>(work: Work<T>): Promise<T> {
    return this.#runWithRetry(work);
  }

  /** Work in a transaction, with results in between: each of its statements is a trip of its own. */
  transaction<T>(work: Work<T>): Promise<T> {
    return this.#runWithRetry((session) => session.interactive(() => work(session), this.#transactionStatements));
  }

  /** Runs `work` after every write transaction, committed or not, on the same connection. */
  afterWrite(work: Work<void>): void {
    this.#afterWrite = work;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    if (!('knex' in this.#options)) await (await this.#knex)?.destroy();
  }

  get #transactionStatements() {
    return this.#inHostTransaction ? savepoint : rootTransaction;
  }

  get #inHostTransaction(): boolean {
    return 'knex' in this.#options && this.#options.knex.isTransaction === true;
  }

  /** Runs the work, and retries after a transient error. A transaction of the host cannot be retried from here. */
  #runWithRetry<T>(work: Work<T>): Promise<T> {
    return this.#retry(() =>
      this.#inHostTransaction
        ? this.#transactionMutex.runExclusive(() => this.#withSession(work))
        : this.#withSession(work),
    );
  }

  async #retry<T>(attempt: () => Promise<T>): Promise<T> {
    const { random = Math.random, sleep = defaultSleep } = this.#options;
    for (let attempts = 1; ; attempts++) {
      if (!this.#isOpen) throw new StorageUnavailable(`The storage on ${this.location} is closed`);
      try {
        return await attempt();
      } catch (error) {
        if (!isTransient(error) || attempts === maxAttempts || this.#inHostTransaction)
          throw translateError(error, this.location);
      }
      await sleep(random() * Math.min(200, 5 * 2 ** attempts));
    }
  }

  async #withSession<T>(work: Work<T>): Promise<T> {
    const { session, release } = await this.#acquire();
    try {
      return await work(session);
    } finally {
      await release();
    }
  }

  /** Takes a connection out of the pool. */
  async #acquire(): Promise<ConnectionLease<Session>> {
    this.#knex ??= 'knex' in this.#options ? Promise.resolve(this.#options.knex) : createPool(this.#options);
    const { connection, release } = await acquireRawConnection<Client>(await this.#knex);
    let session = this.#sessions.get(connection);
    if (session === undefined) {
      session = new Session(connection, this.#prepare, this.#nextSlot++ % this.#counterSlots);
      this.#sessions.set(connection, session);
    }
    return { session, release };
  }
}

const maxAttempts = 10;
/** The rest of the pool is left to those who write. */
const maxSharedConnections = 3;

const defaultSleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stated in full, since the host may have set another default. */
const rootTransaction = {
  begin: 'begin isolation level read committed read write',
  commit: 'commit',
  rollback: 'rollback',
};
const savepoint = {
  begin: 'savepoint "millrace"',
  commit: 'release savepoint "millrace"',
  rollback: 'rollback to savepoint "millrace"; release savepoint "millrace"',
};
