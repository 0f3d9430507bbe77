import { setImmediate } from 'node:timers/promises';

/** Far longer than any case takes: a case that is not over by then hangs. */
const minutes = 5;

/**
 * Waits for a case with a time limit, and turns unhandled rejections and uncaught exceptions into a rejection. Otherwise a promise
 * that an adapter does not await would end the process without a report.
 */
export async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let stop = () => {};
  const timedOut = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The case was not over after ${minutes} minutes`)),
      minutes * 60_000,
    );
    const onUncaught = (cause: unknown) => reject(new Error('An exception or rejection was not handled', { cause }));
    process.on('unhandledRejection', onUncaught).on('uncaughtException', onUncaught);
    stop = () => {
      clearTimeout(timer);
      process.off('unhandledRejection', onUncaught).off('uncaughtException', onUncaught);
    };
  });
  try {
    // Cases in memory only queue microtasks. Without this the timer and signals would never run.
    return await Promise.race([work.finally(() => setImmediate()), timedOut]);
  } finally {
    stop();
  }
}
