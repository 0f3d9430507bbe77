/** A connection taken out of the pool, or whatever it is used through. */
export interface ConnectionLease<S> {
  readonly session: S;
  release(): Promise<void>;
}

interface SharedConnection<S> {
  readonly lease: Promise<ConnectionLease<S>>;
  /** How many callers wait for answers on it. */
  callers: number;
}

/**
 * Connections on which many read at once: the database answers one statement after the other, but nobody waits for a free
 * connection, and what was asked meanwhile travels together. A lane is given back to the pool when its last caller has gone,
 * so that one caller at a time costs what it did without. Only for statements that are quick, and stand each for itself.
 */
export class ConnectionSharer<S> {
  readonly #acquire: () => Promise<ConnectionLease<S>>;
  readonly #maxConnections: number;
  readonly #maxPipelined: number;
  readonly #connections = new Set<SharedConnection<S>>();

  /** At most `most` lanes. One is filled up to `crowd` callers before the next is used: what travels together costs less. */
  constructor(acquire: () => Promise<ConnectionLease<S>>, maxConnections: number, maxPipelined: number) {
    this.#acquire = acquire;
    this.#maxConnections = maxConnections;
    this.#maxPipelined = maxPipelined;
  }

  async share<T>(work: (session: S) => Promise<T>): Promise<T> {
    const connection = this.#choose();
    connection.callers += 1;
    try {
      const { session } = await connection.lease;
      return await work(session);
    } catch (error) {
      // It may be the connection that is broken: nobody else should join it.
      this.#connections.delete(connection);
      throw error;
    } finally {
      connection.callers -= 1;
      if (connection.callers === 0) await this.#release(connection);
    }
  }

  #choose(): SharedConnection<S> {
    let leastBusy: SharedConnection<S> | undefined;
    let fullestWithRoom: SharedConnection<S> | undefined;
    for (const connection of this.#connections) {
      if (!leastBusy || connection.callers < leastBusy.callers) leastBusy = connection;
      if (connection.callers < this.#maxPipelined && connection.callers > (fullestWithRoom?.callers ?? -1))
        fullestWithRoom = connection;
    }
    if (fullestWithRoom) return fullestWithRoom;
    if (leastBusy && this.#connections.size >= this.#maxConnections) return leastBusy;
    const connection: SharedConnection<S> = { lease: this.#acquire(), callers: 0 };
    this.#connections.add(connection);
    return connection;
  }

  async #release(connection: SharedConnection<S>): Promise<void> {
    this.#connections.delete(connection);
    const lease = await connection.lease.catch(() => undefined);
    await lease?.release();
  }
}
