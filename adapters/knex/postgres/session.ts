import { createHash } from 'node:crypto';
import type { Client, QueryArrayConfig } from 'pg';
import { isPreparedStatementLost } from './errors.js';
import type { CellText } from './values.js';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Sent as it is, without being prepared: what is asked once. */
  readonly unprepared?: true;
}

export type Rows = readonly (readonly CellText[])[];

/** How a connection begins and ends what belongs together. */
export interface TransactionStatements {
  readonly begin: string;
  readonly commit: string;
  readonly rollback: string;
}

/**
 * One connection with its prepared statements. Whoever holds it uses it alone. It speaks to the driver itself, since
 * Knex does not prepare statements, which doubles the price of a small one.
 */
export class Session {
  /** Where counters are changed on this connection. */
  readonly slot: number;
  readonly #client: Client & ClientInternals;
  readonly #prepare: boolean;
  /** The statements that were prepared on this connection, the one used last at the end. */
  readonly #preparedNames = new Map<string, string>();
  #generation = 0;
  #corked = false;

  constructor(client: Client, prepare: boolean, slot = 0) {
    this.slot = slot;
    this.#client = client as Client & ClientInternals;
    this.#prepare = prepare;
  }

  async query(statement: Statement): Promise<Rows> {
    const [rows] = await this.pipelined([statement]);
    return rows ?? [];
  }

  /**
   * Runs the statements in their order; the rows of each. On a connection of our own all of them are sent at once, and
   * the answers awaited together: one trip. After an error the rest is of no use, and the first error is thrown.
   */
  async pipelined(statements: readonly Statement[]): Promise<Rows[]> {
    await this.#evictStatements(statements.length);
    try {
      return await (this.#client.pipeline === true
        ? this.#sendPipelined(statements)
        : this.#sendSequentially(statements));
    } catch (error) {
      if (isPreparedStatementLost(error)) this.#renewStatementNames();
      throw error;
    }
  }

  /** Runs the statements as one transaction. */
  async transaction(statements: readonly Statement[], transactionStatements: TransactionStatements): Promise<Rows[]> {
    const unprepared = true as const;
    const all: Statement[] = [
      { text: transactionStatements.begin, unprepared },
      ...statements,
      { text: transactionStatements.commit, unprepared },
    ];
    try {
      return (await this.pipelined(all)).slice(1, -1);
    } catch (error) {
      // The commit that was sent along with the rest has rolled back already, but not where it only ends a savepoint.
      if (this.#client.pipeline !== true || transactionStatements.rollback !== 'rollback') {
        await this.pipelined([{ text: transactionStatements.rollback, unprepared }]).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Runs work on this connection as one transaction. */
  async interactive<T>(work: () => Promise<T>, { begin, commit, rollback }: TransactionStatements): Promise<T> {
    const run = (text: string) => this.query({ text, unprepared: true });
    await run(begin);
    try {
      const result = await work();
      await run(commit);
      return result;
    } catch (error) {
      await run(rollback).catch(() => undefined);
      throw error;
    }
  }

  async #sendPipelined(statements: readonly Statement[]): Promise<Rows[]> {
    this.#corkUntilNextTick();
    const results = await Promise.allSettled(statements.map((statement) => this.#send(statement)));
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  /** What is sent until the event loop comes round goes out in one write: for small statements that is most of the work. */
  #corkUntilNextTick(): void {
    if (this.#corked) return;
    this.#corked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    setImmediate(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  async #sendSequentially(statements: readonly Statement[]): Promise<Rows[]> {
    const results: Rows[] = [];
    for (const statement of statements) results.push(await this.#send(statement));
    return results;
  }

  async #send({ text, values = [], unprepared }: Statement): Promise<Rows> {
    const config: QueryArrayConfig = { text, values: values as unknown[], rowMode: 'array', types: withoutParsing };
    if (this.#prepare && unprepared === undefined) config.name = this.#preparedName(text);
    return (await this.#client.query(config)).rows ?? [];
  }

  #preparedName(text: string): string {
    const name =
      this.#preparedNames.get(text) ?? `${statementName(text)}${this.#generation === 0 ? '' : `_${this.#generation}`}`;
    this.#preparedNames.delete(text);
    this.#preparedNames.set(text, name);
    return name;
  }

  /** Filters combine into many shapes; a client that tries them all must not fill the memory of the server. */
  async #evictStatements(count: number): Promise<void> {
    if (this.#preparedNames.size + count <= maxPreparedStatements) return;
    const oldest = [...this.#preparedNames].slice(0, maxPreparedStatements / 4);
    const { parsedStatements } = this.#client.connection;
    const prepared = oldest.filter(([, name]) => parsedStatements[name] !== undefined);
    for (const [text, name] of oldest) {
      this.#preparedNames.delete(text);
      delete parsedStatements[name];
    }
    if (prepared.length > 0) await this.#client.query(prepared.map(([, name]) => `deallocate "${name}"`).join('; '));
  }

  /** The names so far cannot be relied on: others are used from now on. */
  #renewStatementNames(): void {
    for (const name of this.#preparedNames.values()) delete this.#client.connection.parsedStatements[name];
    this.#preparedNames.clear();
    this.#generation++;
  }
}

/** Each prepared statement costs the server some ten kilobytes on each connection. */
const maxPreparedStatements = 300;

/** What the driver has and its types leave out. */
interface ClientInternals {
  readonly pipeline?: boolean;
  readonly connection: {
    readonly stream: { cork(): void; uncork(): void };
    readonly parsedStatements: Record<string, string>;
  };
}

/** Every cell stays the text that the server sent: it is read by the kind of its column, and never becomes a `Date`. */
const withoutParsing = { getTypeParser: () => (cell: string) => cell } as unknown as NonNullable<
  QueryArrayConfig['types']
>;

/** The same name for the same text, in every process. */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `millrace_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    if (statementNames.size >= 4_000) statementNames.clear();
    statementNames.set(text, name);
  }
  return name;
}

const statementNames = new Map<string, string>();
