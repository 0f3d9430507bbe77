/**
 * Switches for the mechanisms that make a storage faster. Each default is the fastest setting that we measured, and no
 * setting changes what a storage returns. They are there to measure what a mechanism is worth, and to rule one out when a
 * problem is searched for.
 */
export interface KnexTuning {
  /**
   * Reads that are asked in the same turn of the event loop travel together: equal ones are asked once, look-ups by a unique
   * key and loads of few ids become one statement. `true` if absent.
   */
  readonly coalesceReads?: boolean;
  /** Callers that wait for numbers of the same sequence get them from one statement. `true` if absent. */
  readonly batchSequences?: boolean;
  /**
   * The most callers that read on one connection at the same time before the next connection is opened. 8 if absent. With 1
   * every caller takes a connection of its own out of the pool.
   */
  readonly maxPipelined?: number;
  /**
   * A page far from the first one begins on a day that the day counters tell, instead of passing over every record before
   * it. `true` if absent.
   */
  readonly seekDeepPages?: boolean;
  /** SQLite: batches that wait for the writer are committed in one transaction. `true` if absent. */
  readonly groupCommits?: boolean;
  /** PostgreSQL: the rows over which each counter is spread, so that commits do not wait for each other. 12 if absent. */
  readonly counterSlots?: number;
}

/** The switches with every choice made. */
export type Tuning = Required<KnexTuning>;

export const defaultTuning: Tuning = {
  coalesceReads: true,
  batchSequences: true,
  maxPipelined: 8,
  seekDeepPages: true,
  groupCommits: true,
  counterSlots: 12,
};

/** Fills in the defaults. The switches have been checked with the other options. */
export function resolveTuning(tuning: KnexTuning = {}): Tuning {
  const chosen = Object.entries(tuning).filter(([, value]) => value !== undefined);
  return { ...defaultTuning, ...Object.fromEntries(chosen) };
}
