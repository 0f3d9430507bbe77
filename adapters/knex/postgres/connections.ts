import type { Knex } from 'knex';
import type { Client } from 'pg';
import { StorageUnavailable } from '../../../core/ports/index.js';
import type { LentOptions, PostgresOptions } from '../options.js';
import { isTransient, translated } from './errors.js';
import { placeOf, pooled } from './pool.js';
import { type Rows, Session, type Statement } from './session.js';
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
  #knex: Promise<Knex> | undefined;
  #written: Work<void> | undefined;
  #open = true;

  constructor(options: PostgresOptions | LentOptions) {
    this.#options = options;
    this.#prepare = options.prepare ?? true;
    this.place = placeOf('knex' in options ? options.knex.client.config?.connection : options.connection);
  }

  /** One statement by itself. */
  query(statement: Statement): Promise<Rows> {
    return this.#patiently((session) => session.query(statement));
  }

  /** Statements that each stand for themselves, in one trip. */
  flight(statements: readonly Statement[]): Promise<Rows[]> {
    return this.#patiently((session) => session.flight(statements));
  }

  /** Statements that change something: all of them or none. */
  writing(statements: readonly Statement[]): Promise<Rows[]> {
    return this.#patiently(async (session) => {
      try {
        return await session.transaction(statements, this.#lentTransaction ? nested : outermost);
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
  async #patiently<T>(work: Work<T>): Promise<T> {
    const { chance = Math.random, pause = paused } = this.#options;
    for (let attempt = 1; ; attempt++) {
      if (!this.#open) throw new StorageUnavailable(`The storage on ${this.place} is closed`);
      try {
        return await (this.#lentTransaction ? this.#turns.take(() => this.#with(work)) : this.#with(work));
      } catch (error) {
        if (!isTransient(error) || attempt === mostAttempts || this.#lentTransaction)
          throw translated(error, this.place);
      }
      await pause(chance() * Math.min(200, 5 * 2 ** attempt));
    }
  }

  async #with<T>(work: Work<T>): Promise<T> {
    this.#knex ??= 'knex' in this.#options ? Promise.resolve(this.#options.knex) : pooled(this.#options);
    const { client } = await this.#knex;
    const connection: Client = await client.acquireConnection();
    try {
      let session = this.#sessions.get(connection);
      if (session === undefined) {
        session = new Session(connection, this.#prepare);
        this.#sessions.set(connection, session);
      }
      return await work(session);
    } finally {
      await client.releaseConnection(connection);
    }
  }
}

const mostAttempts = 10;

const paused = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stated in full, since the host may have set another default. */
const outermost = { begin: 'begin isolation level read committed read write', commit: 'commit', rollback: 'rollback' };
const nested = {
  begin: 'savepoint "millrace"',
  commit: 'release savepoint "millrace"',
  rollback: 'rollback to savepoint "millrace"; release savepoint "millrace"',
};
