import { constants } from 'node:os';

/** Signals that come this soon after the first one are taken for the same: npm passes Ctrl-C on to whom it has reached already. */
const sameSignal = 250;

/** What is left of such a stop if the second one was meant after all. */
const hurriedStop = 1_000;

/**
 * Stops gracefully at the first SIGINT or SIGTERM, and at once at the second. Resolves when stopped.
 * Before `stop` can be called there is nothing to finish: see `endAtOnce`.
 */
export function stopOnSignal(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (first === undefined) {
        first = now;
        stop().then(resolve, reject);
      } else if (now - first > sameSignal) {
        endBy(signal);
      } else {
        setTimeout(() => endBy(signal), hurriedStop).unref();
      }
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** While nothing is served yet, a signal ends the process, with all that is to be done then. Returns how to take it back. */
export function endOnSignal(): () => void {
  process.once('SIGINT', endBy);
  process.once('SIGTERM', endBy);
  return () => {
    process.off('SIGINT', endBy);
    process.off('SIGTERM', endBy);
  };
}

/** Ends with the exit code that shells use for a signal. */
function endBy(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal]);
}
