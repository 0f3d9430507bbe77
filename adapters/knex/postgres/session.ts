import { createHash } from 'node:crypto';
import type { Client, QueryArrayConfig } from 'pg';
import { isForgotten } from './errors.js';
import type { Wire } from './values.js';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Sent as it is, without being prepared: what is asked once. */
  readonly once?: true;
}

export type Rows = readonly (readonly Wire[])[];

/** How a connection begins and ends what belongs together. */
export interface Brackets {
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
  readonly #client: Client & Internals;
  readonly #prepare: boolean;
  /** The statements that were prepared on this connection, the one used last at the end. */
  readonly #names = new Map<string, string>();
  #generation = 0;
  #gathering = false;

  constructor(client: Client, prepare: boolean, slot = 0) {
    this.slot = slot;
    this.#client = client as Client & Internals;
    this.#prepare = prepare;
  }

  async query(statement: Statement): Promise<Rows> {
    const [rows] = await this.flight([statement]);
    return rows ?? [];
  }

  /**
   * Runs the statements in their order; the rows of each. On a connection of our own all of them are sent at once, and
   * the answers awaited together: one trip. After an error the rest is of no use, and the first error is thrown.
   */
  async flight(statements: readonly Statement[]): Promise<Rows[]> {
    await this.#makeRoom(statements.length);
    try {
      return await (this.#client.pipeline === true ? this.#together(statements) : this.#oneByOne(statements));
    } catch (error) {
      if (isForgotten(error)) this.#forget();
      throw error;
    }
  }

  /** Runs the statements as one transaction. */
  async transaction(statements: readonly Statement[], brackets: Brackets): Promise<Rows[]> {
    const once = true as const;
    const all: Statement[] = [{ text: brackets.begin, once }, ...statements, { text: brackets.commit, once }];
    try {
      return (await this.flight(all)).slice(1, -1);
    } catch (error) {
      // The commit that was sent along with the rest has rolled back already, but not where it only ends a savepoint.
      if (this.#client.pipeline !== true || brackets.rollback !== 'rollback') {
        await this.flight([{ text: brackets.rollback, once }]).catch(() => undefined);
      }
      throw error;
    }
  }

  async #together(statements: readonly Statement[]): Promise<Rows[]> {
    this.#gather();
    const answers = await Promise.allSettled(statements.map((statement) => this.#send(statement)));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  /** What is sent until the event loop comes round goes out in one write: for small statements that is most of the work. */
  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    const { stream } = this.#client.connection;
    stream.cork();
    setImmediate(() => {
      this.#gathering = false;
      stream.uncork();
    });
  }

  async #oneByOne(statements: readonly Statement[]): Promise<Rows[]> {
    const answers: Rows[] = [];
    for (const statement of statements) answers.push(await this.#send(statement));
    return answers;
  }

  async #send({ text, values = [], once }: Statement): Promise<Rows> {
    const config: QueryArrayConfig = { text, values: values as unknown[], rowMode: 'array', types: asItComes };
    if (this.#prepare && once === undefined) config.name = this.#nameOf(text);
    return (await this.#client.query(config)).rows ?? [];
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `${nameOf(text)}${this.#generation === 0 ? '' : `_${this.#generation}`}`;
    this.#names.delete(text);
    this.#names.set(text, name);
    return name;
  }

  /** Filters combine into many shapes; a client that tries them all must not fill the memory of the server. */
  async #makeRoom(count: number): Promise<void> {
    if (this.#names.size + count <= mostStatements) return;
    const oldest = [...this.#names].slice(0, mostStatements / 4);
    const { parsedStatements } = this.#client.connection;
    const known = oldest.filter(([, name]) => parsedStatements[name] !== undefined);
    for (const [text, name] of oldest) {
      this.#names.delete(text);
      delete parsedStatements[name];
    }
    if (known.length > 0) await this.#client.query(known.map(([, name]) => `deallocate "${name}"`).join('; '));
  }

  /** The names so far cannot be relied on: others are used from now on. */
  #forget(): void {
    for (const name of this.#names.values()) delete this.#client.connection.parsedStatements[name];
    this.#names.clear();
    this.#generation++;
  }
}

/** Each prepared statement costs the server some ten kilobytes on each connection. */
const mostStatements = 300;

/** What the driver has and its types leave out. */
interface Internals {
  readonly pipeline?: boolean;
  readonly connection: {
    readonly stream: { cork(): void; uncork(): void };
    readonly parsedStatements: Record<string, string>;
  };
}

/** Every cell stays the text that the server sent: it is read by the kind of its column, and never becomes a `Date`. */
const asItComes = { getTypeParser: () => (cell: string) => cell } as unknown as NonNullable<QueryArrayConfig['types']>;

/** The same name for the same text, in every process. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `millrace_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    if (names.size >= 4_000) names.clear();
    names.set(text, name);
  }
  return name;
}

const names = new Map<string, string>();
