import { constants } from 'node:os';

/** A second signal within this time counts as a duplicate: npm forwards Ctrl-C to a process that has received it already. */
const duplicateSignalMs = 250;

/** After such a signal the process ends this much later, in case it was meant as a second one. */
const forcedStopMs = 1_000;

export interface Signals {
  /** Registers the graceful stop, which the first signal calls. Resolves when it has finished. */
  onFirstSignal(stop: () => Promise<void>): Promise<void>;
}

/**
 * Listens to SIGINT and SIGTERM until the process ends. The listeners are never replaced, since a signal in between would be lost.
 * Before `onFirstSignal` is called, a signal ends the process at once; after it, the second signal does.
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

/** Ends the process with the exit code that shells use for a signal. */
function exitBySignal(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
