import { constants } from 'node:os';

/** Signals that come this soon after the first are taken for the same: npm passes Ctrl-C on to whom it has reached already. */
const duplicateSignalMs = 250;

/** What is left of the stop if such a signal was meant as a second one after all. */
const forcedStopMs = 1_000;

export interface Signals {
  /** From now on the first signal stops gracefully. Resolves when that is done. */
  onFirstSignal(stop: () => Promise<void>): Promise<void>;
}

/**
 * Listens to SIGINT and SIGTERM, from here to the end of the process: listeners that are exchanged lose a signal that comes in
 * between. As long as there is nothing to stop, a signal ends the process at once, and so does the second one later.
 */
export function watchSignals(): Signals {
  let stopOnce: (() => void) | undefined;
  let firstSignalAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopOnce === undefined) exitBySignal(signal);
    else if (firstSignalAt === undefined) {
      firstSignalAt = performance.now();
      stopOnce();
    } else if (performance.now() - firstSignalAt > duplicateSignalMs) exitBySignal(signal);
    else setTimeout(() => exitBySignal(signal), forcedStopMs).unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    onFirstSignal: (stop) =>
      new Promise((resolve, reject) => {
        stopOnce = () => void stop().then(resolve, reject);
      }),
  };
}

/** Ends with the exit code that shells use for a signal. */
function exitBySignal(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
