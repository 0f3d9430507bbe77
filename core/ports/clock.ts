export interface Clock {
  /** Milliseconds since 1970, UTC. May stand still; must not go back. */
  now(): number;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
