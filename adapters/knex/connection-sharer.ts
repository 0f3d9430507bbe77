/** A connection that was taken out of the pool. */
export interface ConnectionLease<S> {
  readonly session: S;
  release(): Promise<void>;
}

interface SharedConnection<S> {
  readonly lease: Promise<ConnectionLease<S>>;
  /** How many callers wait for results on it. */
  callers: number;
}

/**
 * Connections that several readers share. The database runs their statements one after the other, but no reader waits for a
 * free connection, and statements that are sent at the same time share a trip. A connection is released to the pool when
 * its last caller is done. Only for statements that are fast and independent of each other.
 */
export class ConnectionSharer<S> {
  readonly #acquire: () => Promise<ConnectionLease<S>>;
  readonly #maxConnections: number;
  readonly #maxPipelined: number;
  readonly #connections = new Set<SharedConnection<S>>();

  /** A connection gets up to `maxPipelined` callers before the next one is opened: statements that share a trip cost less. */
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
      // The connection may be broken: no other caller should join it.
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
