import { beginCase, setSeedAndRuns } from '../property-settings.js';
import { failureFrom, throwIfFailed } from './failure.js';
import type { BoundCase, Level } from './level.js';
import { missingCapabilities, skipReason } from './missing-capabilities.js';
import { formatReplay, parseReplay, type Replay } from './replay.js';
import type { Report, Result } from './result.js';

export interface RunOptions {
  readonly levels: readonly Level[];
  /** What is tested, for the heading of the report. */
  readonly subject?: string;
  /** The command that started the run, for the lines that replay a failure. */
  readonly command?: string;
  /** The same seed generates the same values. */
  readonly seed: number;
  /** Factor for the number of property runs. Default: 1. */
  readonly runs?: number;
  /** Which cases to run; the others are not in the report. Default: all. */
  readonly only?: (id: string) => boolean;
  /** The failure to reproduce, in a run of one case. Its seed replaces `seed`. */
  readonly replay?: Replay;
  /** A clock in milliseconds for the durations in the report. Default: a clock that always returns 0. */
  readonly now?: () => number;
  /** Limits the time of a case by rejecting. Default: no limit. */
  readonly withTimeout?: <T>(work: Promise<T>) => Promise<T>;
  /** Ends the run. The running case and the later ones are reported as not reached. */
  readonly signal?: AbortSignal;
  /** Called after every case. */
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

let isRunning = false;

/** The cases that a run with these options includes. */
export const selectCases = ({ levels, only = () => true }: Pick<RunOptions, 'levels' | 'only'>): BoundCase[] =>
  levels.flatMap(({ cases }) => cases.filter(({ id }) => only(id)));

/**
 * Runs the cases of all levels one after another and returns a report. Failing cases do not reject.
 * @throws if another run is in progress in this process, because the seed is a setting of the process.
 */
export async function runSuite(options: RunOptions): Promise<Report> {
  if (isRunning) throw new Error('A run is in progress in this process; wait for its report');
  const { subject = 'unnamed', command, runs = 1, replay, now = () => 0, onResult } = options;
  const seed = replay?.seed ?? options.seed;
  const total = selectCases(options).length;
  const results: Result[] = [];
  const reset = setSeedAndRuns({ seed, runs });
  const startedAt = now();
  isRunning = true;
  try {
    for (const one of options.levels) {
      for await (const result of runLevel(one, { ...options, seed, now })) {
        results.push(result);
        onResult?.(result, results.length, total);
      }
    }
  } finally {
    isRunning = false;
    reset();
  }
  return { subject, ...(command === undefined ? {} : { command }), seed, runs, took: now() - startedAt, results };
}

async function* runLevel(level: Level, options: RunOptions & { readonly now: () => number }): AsyncGenerator<Result> {
  const { signal, now, seed, withTimeout = (work) => work } = options;
  const cases = selectCases({ ...options, levels: [level] });
  if (cases.length === 0) return;
  let capabilities: readonly string[] = [];
  let notReachedReason = '';
  for (const boundCase of cases) {
    const { id, cites, needs } = boundCase;
    const header = { level: level.name, id, cites };
    const startedAt = now();
    const stopped = signal?.aborted ? 'the run was ended' : notReachedReason;
    if (stopped !== '') {
      yield { ...header, status: 'NotReached', took: 0, reason: stopped };
      continue;
    }
    try {
      if (boundCase === cases[0]) capabilities = await withTimeout(level.capabilities());
      const unmetNeeds = missingCapabilities(needs, capabilities);
      if (unmetNeeds.length > 0) {
        yield { ...header, status: 'Skip', took: 0, reason: (level.skipReason ?? skipReason)(unmetNeeds) };
        continue;
      }
    } catch (error) {
      // Without capabilities no case can be selected: the first case reports the error, and the others are not reached.
      notReachedReason = 'the capabilities could not be read';
      yield { ...header, status: 'Error', took: now() - startedAt, fault: failureFrom(error, seed).fault };
      continue;
    }
    const outcome = await runAndConfirm(boundCase, options);
    yield { ...header, ...outcome, took: now() - startedAt };
  }
}

/**
 * Replays a failure before it is reported. If the failing values alone do not reproduce it, because it depends on earlier values,
 * its replay is the seed of the whole case.
 */
async function runAndConfirm(boundCase: BoundCase, options: RunOptions): Promise<Outcome> {
  const outcome = await runCase(boundCase, options);
  const { status, fault } = outcome;
  if (status !== 'Fail' || fault?.counterexample === undefined || options.replay !== undefined) return outcome;
  const replay = parseReplay(fault.replay);
  const again = await runCase(boundCase, { ...options, ...(replay === undefined ? {} : { replay }) });
  if (again.status === 'NotReached' || again.fault?.counterexample === fault.counterexample) return outcome;
  return { status, fault: { ...fault, replay: formatReplay({ seed: options.seed }) } };
}

type Outcome = Pick<Result, 'status' | 'reason' | 'fault'>;

async function runCase(
  boundCase: BoundCase,
  { seed, replay, signal, withTimeout = (work) => work }: RunOptions,
): Promise<Outcome> {
  const { path, property = 1 } = replay ?? {};
  beginCase({ onRun: throwIfFailed, ...(path === undefined ? {} : { replay: { path, property } }) });
  const finished = new AbortController();
  try {
    const ended = new Promise<'ended'>((resolve) =>
      signal?.addEventListener('abort', () => resolve('ended'), { once: true, signal: finished.signal }),
    );
    const outcome = await Promise.race([withTimeout(boundCase.run()), ended]);
    return outcome === 'ended' ? { status: 'NotReached', reason: 'the run was ended' } : { status: 'Pass' };
  } catch (error) {
    return failureFrom(error, seed);
  } finally {
    finished.abort();
  }
}
