import type { Knex } from 'knex';

/** A connection of the driver, taken out of the pool of a Knex instance. */
export interface RawConnection<Connection> {
  readonly connection: Connection;
  release(): Promise<void>;
}

/**
 * Takes a connection out of the pool of a Knex instance, or the connection of a transaction of Knex. The storage needs the
 * driver's connection for pipelining, for prepared statements and for transactions across several statements.
 *
 * This is the only place that uses `client.acquireConnection` and `client.releaseConnection`: Knex declares both in the type
 * `Knex.Client`, but does not document them. If Knex changes them, every database test of this adapter fails; the tests
 * `external-knex.*` cover the connections of the host.
 */
export async function acquireRawConnection<Connection>({ client }: Knex): Promise<RawConnection<Connection>> {
  const connection: Connection = await client.acquireConnection();
  return { connection, release: () => client.releaseConnection(connection) };
}
