import { setTimeout as after } from 'node:timers/promises';

/** How the simulation passes time. */
export interface Pace {
  /** Waits for some time between the two, in milliseconds. Rejects when the simulation stops. */
  between(from: number, to: number): Promise<void>;
}

/** Real time. None of its timers keeps the process alive. */
export const paceUntil = (signal: AbortSignal): Pace => ({
  between: (from, to) => after(from + Math.random() * (to - from), undefined, { signal, ref: false }),
});
