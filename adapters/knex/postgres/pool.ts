import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import type { Client, ClientConfig } from 'pg';
import type { PostgresOptions } from '../options.js';

/** A Knex instance with a pool of connections that are set up for this storage. Nothing is connected before it is needed. */
export async function createPool(options: PostgresOptions): Promise<Knex> {
  const { default: knex } = await import('knex');
  const { connection, pool = {}, prepare = true, statementTimeout = 10_000 } = options;
  const { min = 0, max = 10, acquireTimeout = 2_000 } = pool;
  const settings: ClientConfig & { pipeline: boolean } = {
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // The server answers a slow statement by itself; this is for a server that is gone without a word.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + 5_000 }),
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    pipeline: true,
  };
  return knex({
    client: destroyingFailedSockets(knex({ client: 'pg' }).client.constructor),
    connection: settings as Knex.PgConnectionConfig,
    // Knex asks each server for it first, and understands only the answer of PostgreSQL itself.
    version: '15',
    acquireConnectionTimeout: acquireTimeout,
    pool: {
      min,
      max,
      ...(prepare && {
        afterCreate: (client: Client, done: (error: Error | null) => void) => {
          client.query(sessionSettings(statementTimeout)).then(
            () => done(null),
            (error) => done(error),
          );
        },
      }),
    },
    // What goes wrong is thrown, and told by whoever catches it.
    log: { error: noop, warn: noop },
  });
}

/**
 * The dialect of Knex, but for a connection that fails while it is made: Knex and the driver leave its socket open, and the
 * server waits on it for a minute, during which it counts as a connection and holds up `drop database`.
 */
function destroyingFailedSockets(dialect: KnexDialectClass): KnexDialectClass {
  return class extends dialect {
    override async _acquireOnlyConnection(): Promise<Client> {
      const connection: Client & { connection: { stream: Socket }; __knex__disposed?: unknown } =
        new this.driver.Client(this.connectionSettings);
      // Without these a server that goes away would take the process with it. The pool looks for the mark.
      connection.on('error', (error) => {
        connection.__knex__disposed = error;
      });
      connection.on('end', () => {
        connection.__knex__disposed ??= 'it has ended';
      });
      try {
        await connection.connect();
      } catch (error) {
        connection.connection.stream.destroy();
        throw error;
      }
      return connection;
    }
  };
}

interface KnexDialect {
  readonly driver: { Client: new (settings: unknown) => never };
  readonly connectionSettings: unknown;
  _acquireOnlyConnection(): Promise<Client>;
}

// biome-ignore lint/suspicious/noExplicitAny: a class can only be extended if its constructor takes anything.
type KnexDialectClass = typeof Knex.Client & (new (...settings: any[]) => KnexDialect);

/**
 * The settings of a connection. A pooler that hands the same connection to others would hand these on too, so with
 * `prepare: false` none is made. Engines that do not know one of the last five are spared it.
 *
 * A plan is made once for each prepared statement and not for each of its calls, and nothing is compiled for it. The
 * planner then knows neither the values nor how far a page reaches, and would read all that matches and sort it; but every
 * query has an index that gives its order, and so is told to walk it.
 */
const sessionSettings = (statementTimeout: number) =>
  `set time zone 'UTC'; set statement_timeout = ${statementTimeout};
select set_config("name", case "name" when 'plan_cache_mode' then 'force_generic_plan' else 'off' end, false)
from pg_settings where "name" in ('plan_cache_mode', 'jit', 'enable_seqscan', 'enable_bitmapscan', 'enable_sort')`;

/** Where a database is, without the password. */
export function locationOf(connection: unknown): string {
  if (typeof connection === 'string') return addressOf(connection);
  if (typeof connection !== 'object' || connection === null) return 'of the lent Knex instance';
  if ('connectionString' in connection && typeof connection.connectionString === 'string') {
    return addressOf(connection.connectionString);
  }
  const { host = 'localhost', port = 5432, database = '' } = connection as ClientConfig;
  return `${host}:${port}/${database}`;
}

function addressOf(text: string): string {
  try {
    const { hostname, host, port, pathname, searchParams } = new URL(text);
    const socket = searchParams.get('host');
    return `${socket ?? (hostname === '' ? 'localhost' : port === '' ? `${host}:5432` : host)}${pathname}`;
  } catch {
    return 'at the given address';
  }
}

const noop = () => undefined;
