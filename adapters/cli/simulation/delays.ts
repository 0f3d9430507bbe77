import { setTimeout as after } from 'node:timers/promises';

/** How the simulation passes time. */
export interface Delays {
  /** Waits for some time between the two, in milliseconds. Rejects when the simulation stops. */
  sleepBetween(from: number, to: number): Promise<void>;
}

/** Real time. None of its timers keeps the process alive. */
export const realDelays = (signal: AbortSignal): Delays => ({
  sleepBetween: (from, to) => after(from + Math.random() * (to - from), undefined, { signal, ref: false }),
});
