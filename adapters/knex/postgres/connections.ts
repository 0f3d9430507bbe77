import type { Knex } from 'knex';
import type { Client } from 'pg';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { Lanes, type Taken } from '../lanes.js';
import type { LentOptions, PostgresOptions } from '../options.js';
import { isTransient, translated } from './errors.js';
import { placeOf, pooled } from './pool.js';
import { type Rows, Session, type Statement } from './session.js';
import { slots } from './tally.js';
import { Turns } from './turns.js';

type Work<T> = (session: Session) => Promise<T>;

/** The connections of a storage: a pool of its own, or what the host has lent. */
export class Connections {
  /** What error messages call the database. */
  readonly place: string;
  readonly #options: PostgresOptions | LentOptions;
  readonly #prepare: boolean;
  readonly #sessions = new WeakMap<Client, Session>();
  readonly #turns = new Turns();
  /** None where a connection may belong to others as well. */
  readonly #lanes: Lanes<Session> | undefined;
  #slot: number;
  #knex: Promise<Knex> | undefined;
  #written: Work<void> | undefined;
  #open = true;

  constructor(options: PostgresOptions | LentOptions) {
    this.#options = options;
    this.#prepare = options.prepare ?? true;
    const lanes =
      'knex' in options || !this.#prepare ? 0 : Math.min(mostLanes, Math.floor((options.pool?.max ?? 10) / 2));
    if (lanes > 0) this.#lanes = new Lanes(() => this.#take(), lanes, crowd);
    this.#slot = Math.floor((options.chance ?? Math.random)() * slots);
    this.place = placeOf('knex' in options ? options.knex.client.config?.connection : options.connection);
  }

  /** One statement by itself. */
  query(statement: Statement): Promise<Rows> {
    return this.#patiently((session) => session.query(statement));
  }

  /** Statements that only read, quickly and each for itself, in one trip. */
  flight(statements: readonly Statement[]): Promise<Rows[]> {
    if (this.#lanes === undefined) return this.#patiently((session) => session.flight(statements));
    const lanes = this.#lanes;
    return this.#again(() => lanes.share((session) => session.flight(statements)));
  }

  /**
   * Statements that change something, and count in the slot of their connection: all of them or none. One by itself needs
   * no brackets, unless the host may have set another default for transactions.
   */
  writing(statements: (slot: number) => readonly Statement[]): Promise<Rows[]> {
    return this.#patiently(async (session) => {
      try {
        const all = statements(session.slot);
        if (all.length === 1 && !('knex' in this.#options)) return await session.flight(all);
        return await session.transaction(all, this.#lentTransaction ? nested : outermost);
      } finally {
        await this.#written?.(session);
      }
    });
  }

  /** Calls back after every transaction that was to change something, whatever became of it, on its connection. */
  afterWriting(work: Work<void>): void {
    this.#written = work;
  }

  async close(): Promise<void> {
    this.#open = false;
    if (!('knex' in this.#options)) await (await this.#knex)?.destroy();
  }

  get #lentTransaction(): boolean {
    return 'knex' in this.#options && this.#options.knex.isTransaction === true;
  }

  /** Does the work, and again if it only lost a race. In the host's transaction nothing can be done again. */
  #patiently<T>(work: Work<T>): Promise<T> {
    return this.#again(() => (this.#lentTransaction ? this.#turns.take(() => this.#with(work)) : this.#with(work)));
  }

  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    const { chance = Math.random, pause = paused } = this.#options;
    for (let attempts = 1; ; attempts++) {
      if (!this.#open) throw new StorageUnavailable(`The storage on ${this.place} is closed`);
      try {
        return await attempt();
      } catch (error) {
        if (!isTransient(error) || attempts === mostAttempts || this.#lentTransaction)
          throw translated(error, this.place);
      }
      await pause(chance() * Math.min(200, 5 * 2 ** attempts));
    }
  }

  async #with<T>(work: Work<T>): Promise<T> {
    const { session, release } = await this.#take();
    try {
      return await work(session);
    } finally {
      await release();
    }
  }

  /** Takes a connection out of the pool. */
  async #take(): Promise<Taken<Session>> {
    this.#knex ??= 'knex' in this.#options ? Promise.resolve(this.#options.knex) : pooled(this.#options);
    const { client } = await this.#knex;
    const connection: Client = await client.acquireConnection();
    let session = this.#sessions.get(connection);
    if (session === undefined) {
      session = new Session(connection, this.#prepare, this.#slot++ % slots);
      this.#sessions.set(connection, session);
    }
    return { session, release: () => client.releaseConnection(connection) };
  }
}

const mostAttempts = 10;
/** The rest of the pool is left to those who write. */
const mostLanes = 3;
/** Callers of one lane before another one is opened. */
const crowd = 8;

const paused = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stated in full, since the host may have set another default. */
const outermost = { begin: 'begin isolation level read committed read write', commit: 'commit', rollback: 'rollback' };
const nested = {
  begin: 'savepoint "millrace"',
  commit: 'release savepoint "millrace"',
  rollback: 'rollback to savepoint "millrace"; release savepoint "millrace"',
};
