import type { Storage } from '../../core/ports/index.js';
import { checkKnexOptions } from './check-options.js';
import type { KnexOptions } from './options.js';
import { postgresStorage } from './postgres/storage.js';
import { sqliteStorage } from './sqlite/storage.js';
import { resolveTuning } from './tuning.js';

/**
 * A storage in a database that Knex connects to. Nothing is opened until the first call; `prepare` creates or migrates
 * the schema.
 *
 * @throws `TypeError`: an option is unknown, missing or wrong; the message names it.
 * @example
 * const storage = knexStorage({ client: 'sqlite', filename: 'ci.db' });
 */
export function knexStorage(options: KnexOptions): Storage & AsyncDisposable {
  checkKnexOptions(options);
  const storage = openStorage(options);
  return Object.assign(storage, { [Symbol.asyncDispose]: () => storage.close() });
}

function openStorage(options: KnexOptions): Storage {
  const prefix = options.tablePrefix ?? 'millrace_';
  const tuning = resolveTuning(options.tuning);
  if ('knex' in options) {
    const isPostgres = options.knex.client.driverName === 'pg';
    return isPostgres ? postgresStorage(options, prefix, tuning) : sqliteStorage(options, prefix, tuning);
  }
  return options.client === 'postgres'
    ? postgresStorage(options, prefix, tuning)
    : sqliteStorage(options, prefix, tuning);
}
