/** A connection taken out of the pool, or whatever it is used through. */
export interface Taken<S> {
  readonly session: S;
  release(): Promise<void>;
}

interface Lane<S> {
  readonly taken: Promise<Taken<S>>;
  /** How many callers wait for answers on it. */
  waiting: number;
}

/**
 * Connections on which many read at once: the database answers one statement after the other, but nobody waits for a free
 * connection, and what was asked meanwhile travels together. A lane is given back to the pool when its last caller has gone,
 * so that one caller at a time costs what it did without. Only for statements that are quick, and stand each for itself.
 */
export class Lanes<S> {
  readonly #take: () => Promise<Taken<S>>;
  readonly #most: number;
  readonly #crowd: number;
  readonly #lanes = new Set<Lane<S>>();

  /** At most `most` lanes. One is filled up to `crowd` callers before the next is used: what travels together costs less. */
  constructor(take: () => Promise<Taken<S>>, most: number, crowd: number) {
    this.#take = take;
    this.#most = most;
    this.#crowd = crowd;
  }

  async share<T>(work: (session: S) => Promise<T>): Promise<T> {
    const lane = this.#choose();
    lane.waiting += 1;
    try {
      const { session } = await lane.taken;
      return await work(session);
    } catch (error) {
      // It may be the connection that is broken: nobody else should join it.
      this.#lanes.delete(lane);
      throw error;
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) await this.#end(lane);
    }
  }

  #choose(): Lane<S> {
    let quietest: Lane<S> | undefined;
    let fullest: Lane<S> | undefined;
    for (const lane of this.#lanes) {
      if (!quietest || lane.waiting < quietest.waiting) quietest = lane;
      if (lane.waiting < this.#crowd && lane.waiting > (fullest?.waiting ?? -1)) fullest = lane;
    }
    if (fullest) return fullest;
    if (quietest && this.#lanes.size >= this.#most) return quietest;
    const lane: Lane<S> = { taken: this.#take(), waiting: 0 };
    this.#lanes.add(lane);
    return lane;
  }

  async #end(lane: Lane<S>): Promise<void> {
    this.#lanes.delete(lane);
    const taken = await lane.taken.catch(() => undefined);
    await taken?.release();
  }
}
