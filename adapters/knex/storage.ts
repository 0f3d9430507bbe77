import type { Storage } from '../../core/ports/index.js';
import { type KnexOptions, refuseUnknownOptions } from './options.js';
import { postgresStorage } from './postgres/storage.js';
import { sqliteStorage } from './sqlite/storage.js';
import { resolveTuning } from './tuning.js';

/**
 * A storage in a database that Knex connects to. Nothing is opened until the first call; `prepare` creates or migrates
 * the schema.
 */
export function knexStorage(options: KnexOptions): Storage {
  const prefix = options.tablePrefix ?? 'millrace_';
  if (!/^[a-z_][a-z0-9_]{0,30}$/.test(prefix)) {
    throw new TypeError(
      'tablePrefix must be 1 to 31 lower-case letters, digits and underscores, and begin with no digit',
    );
  }
  refuseUnknownOptions(options);
  const tuning = resolveTuning(options.tuning);
  if ('knex' in options) {
    const driver: unknown = options.knex.client.driverName;
    if (driver === 'pg') return postgresStorage(options, prefix, tuning);
    if (driver === 'sqlite3') return sqliteStorage(options, prefix, tuning);
    throw new TypeError(`The Knex instance must have the client sqlite3 or pg, not ${String(driver)}`);
  }
  return options.client === 'postgres'
    ? postgresStorage(options, prefix, tuning)
    : sqliteStorage(options, prefix, tuning);
}
