import type { Level } from '../runner/level.js';
import type { Result } from '../runner/result.js';
import { runSuite } from '../runner/run.js';

/** One adapter that runs through the suite: a mutant or a correct one. */
export interface Subject {
  readonly kind: 'storage' | 'transport' | 'service';
  readonly name: string;
  readonly isMutant: boolean;
  readonly level: Level;
}

export interface MutationCheckOptions {
  readonly seed: number;
  /** Factor on the number of random runs. */
  readonly runs: number;
  readonly withTimeout?: <T>(work: Promise<T>) => Promise<T>;
}

/** The outcome of the suite for one subject. */
export interface MutationCheckResult {
  /** The first case that failed, and why; undefined if none did. */
  readonly caught: Result | undefined;
  /** How many cases ran up to the failure, and how many runs of its property that case took. 1 if the case has no property. */
  readonly cases: number;
  readonly runs: number;
  /** Cases that ended in an error of the harness. They say nothing about the adapter. */
  readonly errors: readonly Result[];
}

/** Runs the cases one after another until one fails. */
export async function checkMutation(
  { level }: Subject,
  { seed, runs, withTimeout }: MutationCheckOptions,
): Promise<MutationCheckResult> {
  const abortController = new AbortController();
  const ran: Result[] = [];
  await runSuite({
    levels: [level],
    seed,
    runs,
    signal: abortController.signal,
    ...(withTimeout ? { withTimeout } : {}),
    onResult(result) {
      if (result.status === 'Skip' || result.status === 'NotReached') return;
      ran.push(result);
      if (result.status === 'Fail') abortController.abort();
    },
  });
  const caught = ran.find(({ status }) => status === 'Fail');
  return {
    caught,
    cases: ran.length,
    runs: caught?.fault?.tried?.runs ?? 1,
    errors: ran.filter(({ status }) => status === 'Error'),
  };
}

/** Whether the outcome is right: a mutant was caught, or a correct adapter passed. */
export const isExpected = ({ isMutant }: Subject, { caught, errors, cases }: MutationCheckResult): boolean =>
  isMutant ? caught !== undefined : caught === undefined && errors.length === 0 && cases > 0;
