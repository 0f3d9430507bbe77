export interface Clock {
  /** Milliseconds since 1970, UTC. May stand still; must not go back. */
  now(): number;
  /** Resolves after the given milliseconds, or earlier when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
