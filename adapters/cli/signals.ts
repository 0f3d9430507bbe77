import { constants } from 'node:os';

/** Signals that come this soon after the first are taken for the same: npm passes Ctrl-C on to whom it has reached already. */
const sameSignal = 250;

/** What is left of the stop if such a signal was meant as a second one after all. */
const hurriedStop = 1_000;

export interface Signals {
  /** From now on the first signal stops gracefully. Resolves when that is done. */
  stopWith(stop: () => Promise<void>): Promise<void>;
}

/**
 * Listens to SIGINT and SIGTERM, from here to the end of the process: listeners that are exchanged lose a signal that comes in
 * between. As long as there is nothing to stop, a signal ends the process at once, and so does the second one later.
 */
export function watchSignals(): Signals {
  let onFirst: (() => void) | undefined;
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (onFirst === undefined) endBy(signal);
    else if (first === undefined) {
      first = performance.now();
      onFirst();
    } else if (performance.now() - first > sameSignal) endBy(signal);
    else setTimeout(() => endBy(signal), hurriedStop).unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stopWith: (stop) =>
      new Promise((resolve, reject) => {
        onFirst = () => void stop().then(resolve, reject);
      }),
  };
}

/** Ends with the exit code that shells use for a signal. */
function endBy(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
