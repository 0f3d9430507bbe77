import { importPackage } from '../../packages.js';

/** The part of better-sqlite3 that the peers use. */
export interface Statement {
  all(...values: unknown[]): Record<string, unknown>[];
  get(...values: unknown[]): Record<string, unknown> | undefined;
  run(...values: unknown[]): void;
}

export interface BetterSqlite {
  prepare(sql: string): Statement;
  pragma(text: string): unknown;
  transaction<A extends unknown[], R>(work: (...args: A) => R): { immediate(...args: A): R };
  close(): void;
}

/** Opens a file with the settings of `knexStorage`: WAL, and every commit waits for the disk. */
export async function openBetterSqlite(filename: string): Promise<BetterSqlite> {
  const { default: Database } = await importPackage<{ default: new (filename: string) => BetterSqlite }>(
    'better-sqlite3',
  );
  const database = new Database(filename);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.pragma('busy_timeout = 5000');
  return database;
}

/** Prepares each statement once. Parameters are `$1`, `$2` … as in PostgreSQL, which this driver treats as names. */
export function statementCache(database: BetterSqlite): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = withNumberedParameters(database.prepare(sql.replace(/\$(\d+)/g, '@p$1')));
      statements.set(sql, statement);
    }
    return statement;
  };
}

function withNumberedParameters(statement: Statement): Statement {
  const named = (values: readonly unknown[]) =>
    Object.fromEntries(values.map((value, index) => [`p${index + 1}`, value]));
  return {
    all: (...values) => statement.all(named(values)),
    get: (...values) => statement.get(named(values)),
    run: (...values) => statement.run(named(values)),
  };
}
