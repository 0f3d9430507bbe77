import { setTimeout as sleep } from 'node:timers/promises';

/** The waiting times of the simulation. */
export interface Delays {
  /** Waits for a random time between `from` and `to` milliseconds. Rejects when the simulation stops. */
  sleepBetween(from: number, to: number): Promise<void>;
}

/** Waits in real time. The timers do not keep the process alive. */
export const realDelays = (signal: AbortSignal): Delays => ({
  sleepBetween: (from, to) => sleep(from + Math.random() * (to - from), undefined, { signal, ref: false }),
});
