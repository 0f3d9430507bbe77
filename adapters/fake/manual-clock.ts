import type { Clock } from '../../core/index.js';

/** A clock that stands still until it is advanced. `sleep` resolves at once, so tests never wait. */
export interface ManualClock extends Clock {
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
}

/** Creates a manual clock. `start` is in milliseconds since 1970, or a text that `Date.parse` accepts. */
export function manualClock(start: number | string = '2026-01-05T09:00:00.000Z'): ManualClock {
  let now = typeof start === 'number' ? start : Date.parse(start);
  if (!Number.isFinite(now)) throw new TypeError(`A clock cannot start at ${start}`);
  return {
    now: () => now,
    sleep: async () => {},
    advance(milliseconds) {
      if (!(milliseconds >= 0)) throw new RangeError('A clock can only be advanced by 0 or more milliseconds');
      now += milliseconds;
    },
  };
}
