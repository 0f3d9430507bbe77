import type { Level } from '../runner/level.js';
import type { Result } from '../runner/result.js';
import { runSuite } from '../runner/run.js';

/** One thing that is run through the suite: an adapter with a fault, or a good one. */
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

/** What became of one of them. */
export interface MutationCheckResult {
  /** The first case that failed, and why; undefined if none did. */
  readonly caught: Result | undefined;
  /** How many cases ran until then, and how many runs of its property that case took; 1 where it tries only one thing. */
  readonly cases: number;
  readonly runs: number;
  /** Cases that could not be tried: they say nothing of the adapter. */
  readonly errors: readonly Result[];
}

/** Runs the cases one after the other, until one of them fails. */
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

/** Whether it went as it should: what is broken was caught, what is good passed. */
export const isExpected = ({ isMutant }: Subject, { caught, errors, cases }: MutationCheckResult): boolean =>
  isMutant ? caught !== undefined : caught === undefined && errors.length === 0 && cases > 0;
