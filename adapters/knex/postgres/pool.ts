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
    // The server cancels a slow statement by itself; this limit is for a server that no longer responds.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + 5_000 }),
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    pipeline: true,
  };
  return knex({
    client: destroyingFailedSockets(knex({ client: 'pg' }).client.constructor),
    connection: settings as Knex.PgConnectionConfig,
    // Without it, Knex queries the version of each server, and parses only that of PostgreSQL itself.
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
    // Errors are thrown to the caller, which reports them. Knex should not log them as well.
    log: { error: noop, warn: noop },
  });
}

/**
 * Knex's PostgreSQL dialect, except that the socket of a connection that fails to open is destroyed. Knex and the driver leave
 * it open; the server then waits on it for a minute, counts it as a connection, and blocks `drop database`.
 *
 * This overrides `_acquireOnlyConnection`, a private method of Knex. No public option reaches the socket: `pool.afterCreate`
 * runs only after a connection was opened, and the pool's event for a failure has the error without the connection. If Knex
 * renames the method, the test `pool.socket-of-a-failed-connection-is-closed` fails.
 */
function destroyingFailedSockets(dialect: KnexDialectClass): KnexDialectClass {
  return class extends dialect {
    override async _acquireOnlyConnection(): Promise<Client> {
      const connection: Client & { connection: { stream: Socket }; __knex__disposed?: unknown } =
        new this.driver.Client(this.connectionSettings);
      // Without a listener, a lost connection would end the process. Knex's pool drops connections with this mark.
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
 * The settings of a connection. A pooler in transaction mode would pass them on to other clients, so `prepare: false`
 * makes none. Of the last five, only those that the engine knows are set.
 *
 * The server plans each prepared statement once, not once per call, and does not compile it (`jit`). Such a plan knows
 * neither the values nor the page size, so the planner would read and sort every matching row. Every query has an index
 * in its order, so the settings make the planner scan that index.
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
