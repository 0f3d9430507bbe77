import type { Database, Statement } from 'sqlite3';

/**
 * One connection with its prepared statements. Several callers may share it, as long as they only read: the driver runs one
 * statement after the other. It speaks to the driver itself, since Knex prepares every statement anew.
 */
export class Session {
  readonly database: Database;
  readonly #statements = new Map<string, Promise<Statement>>();

  constructor(database: Database) {
    this.database = database;
  }

  /** All rows of a statement. */
  async all<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const statement = await this.#prepare(sql);
    return new Promise((resolve, reject) => {
      statement.all<Row>(values, (error: Error | null, rows: Row[]) => (error ? reject(error) : resolve(rows)));
    });
  }

  /** Runs a statement; how many rows it changed. */
  async run(sql: string, values: readonly unknown[] = []): Promise<number> {
    const statement = await this.#prepare(sql);
    return new Promise((resolve, reject) => {
      statement.run(values, function (error: Error | null) {
        if (error) reject(error);
        else resolve(this.changes);
      });
    });
  }

  /** Runs a statement without keeping it: schema changes, pragmas. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Gives the prepared statements back; a connection cannot be closed before. */
  finalizeAll(): void {
    for (const statement of this.#statements.values()) finalize(statement);
    this.#statements.clear();
  }

  #prepare(sql: string): Promise<Statement> {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = new Promise<Statement>((resolve, reject) => {
      const made = this.database.prepare(sql, (error: Error | null) => (error ? reject(error) : resolve(made)));
    });
    statement.catch(() => this.#statements.delete(sql));
    const oldest = this.#statements.entries().next().value;
    if (oldest !== undefined && this.#statements.size >= maxPreparedStatements) {
      this.#statements.delete(oldest[0]);
      finalize(oldest[1]);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Gives a statement back when those who have begun with it are done; one that could not be prepared is none. */
function finalize(statement: Promise<Statement>): void {
  statement.then(
    (prepared) => prepared.finalize(),
    () => undefined,
  );
}

/** Filters combine into many shapes; a client that tries them all must not fill the memory. */
const maxPreparedStatements = 400;
