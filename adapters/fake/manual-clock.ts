import type { Clock } from '../../core/index.js';

/** A clock that stands still until it is told to go on. Pauses end at once: nothing waits in a test. */
export interface ManualClock extends Clock {
  /** Goes on by so many milliseconds. */
  advance(milliseconds: number): void;
}

/** `start` is in milliseconds since 1970, or any text that `Date.parse` reads. */
export function manualClock(start: number | string = '2026-01-05T09:00:00.000Z'): ManualClock {
  let now = typeof start === 'number' ? start : Date.parse(start);
  if (!Number.isFinite(now)) throw new TypeError(`A clock cannot start at ${start}`);
  return {
    now: () => now,
    sleep: async () => {},
    advance(milliseconds) {
      if (!(milliseconds >= 0)) throw new RangeError('Time does not go back');
      now += milliseconds;
    },
  };
}
