import { setImmediate } from 'node:timers/promises';

/** Far longer than any case takes, on any machine: whatever is not over by then never will be. */
const minutes = 5;

/**
 * Waits for a case that may never end, and that may throw where nobody listens: a promise that an adapter forgets would
 * otherwise end the process without a report.
 */
export async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let stop = () => {};
  const timedOut = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`It was not over after ${minutes} minutes`)), minutes * 60_000);
    const onUncaught = (cause: unknown) =>
      reject(new Error('Something was thrown where nobody could catch it', { cause }));
    process.on('unhandledRejection', onUncaught).on('uncaughtException', onUncaught);
    stop = () => {
      clearTimeout(timer);
      process.off('unhandledRejection', onUncaught).off('uncaughtException', onUncaught);
    };
  });
  try {
    // In memory a case never lets go of the event loop, on which all the rest of this waits.
    return await Promise.race([work.finally(() => setImmediate()), timedOut]);
  } finally {
    stop();
  }
}
