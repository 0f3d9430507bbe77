export interface Clock {
  /** Milliseconds since 1970, UTC. Two calls may return the same time; a later call must not return an earlier time. */
  now(): number;
  /** Resolves after this number of milliseconds, or earlier when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
