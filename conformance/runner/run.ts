import { beginCase, set } from '../settings.js';
import { judge, read } from './fault.js';
import type { Level, Trial } from './level.js';
import { missing, whyNot } from './needs.js';
import { type Replay, readReplay, replayText } from './replay.js';
import type { Report, Result } from './result.js';

export interface RunOptions {
  readonly levels: readonly Level[];
  /** What is tested, for the head of the report. */
  readonly subject?: string;
  /** The command that runs the suite so, for the lines that replay a failure. */
  readonly command?: string;
  /** The same seed gives the same run. */
  readonly seed: number;
  /** Factor on the number of random runs. Default: 1. */
  readonly runs?: number;
  /** Which cases to run; the others are not in the report. Default: all. */
  readonly only?: (id: string) => boolean;
  /** Where to find a failure again, for a run of one case. Its seed goes before the other one. */
  readonly replay?: Replay;
  /** Milliseconds from wherever; by it the report tells how long things took. Default: nothing takes any time. */
  readonly now?: () => number;
  /** Waits for a case, and rejects when it has waited long enough. Default: for ever. */
  readonly patience?: <T>(work: Promise<T>) => Promise<T>;
  /** Ends the run: the case under way and those after it are not reached. */
  readonly signal?: AbortSignal;
  /** Hears of every case when it is over. */
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

let underWay = false;

/** The cases that a run of these options is about. */
export const chosen = ({ levels, only = () => true }: Pick<RunOptions, 'levels' | 'only'>): Trial[] =>
  levels.flatMap(({ trials }) => trials.filter(({ id }) => only(id)));

/**
 * Runs the cases of all levels one after the other and reports how each went. Never rejects because of a case; rejects
 * when another run is under way in this process, with which it would share its seed.
 */
export async function runSuite(options: RunOptions): Promise<Report> {
  if (underWay) throw new Error('A run is under way in this process; wait for its report');
  const { subject = 'unnamed', command, runs = 1, replay, now = () => 0, onResult } = options;
  const seed = replay?.seed ?? options.seed;
  const total = chosen(options).length;
  const results: Result[] = [];
  const reset = set({ seed, runs });
  const begun = now();
  underWay = true;
  try {
    for (const one of options.levels) {
      for await (const result of runLevel(one, { ...options, seed, now })) {
        results.push(result);
        onResult?.(result, results.length, total);
      }
    }
  } finally {
    underWay = false;
    reset();
  }
  return { subject, ...(command === undefined ? {} : { command }), seed, runs, took: now() - begun, results };
}

async function* runLevel(level: Level, options: RunOptions & { readonly now: () => number }): AsyncGenerator<Result> {
  const { signal, now, seed, patience = (work) => work } = options;
  const trials = chosen({ ...options, levels: [level] });
  if (trials.length === 0) return;
  let claims: readonly string[] = [];
  let why = '';
  for (const trial of trials) {
    const { id, cites, needs } = trial;
    const about = { level: level.name, id, cites };
    const begun = now();
    const stopped = signal?.aborted ? 'the run was ended' : why;
    if (stopped !== '') {
      yield { ...about, status: 'NotReached', took: 0, reason: stopped };
      continue;
    }
    try {
      if (trial === trials[0]) claims = await patience(level.claims());
      const lacking = missing(needs, claims);
      if (lacking.length > 0) {
        yield { ...about, status: 'Skip', took: 0, reason: (level.whyNot ?? whyNot)(lacking) };
        continue;
      }
    } catch (error) {
      // Without its claims nothing can be asked of it: one case says so, and the rest is not reached.
      why = 'what is under test could not be asked for its claims';
      yield { ...about, status: 'Error', took: now() - begun, fault: read(error, seed).fault };
      continue;
    }
    const outcome = await confirmed(trial, options);
    yield { ...about, ...outcome, took: now() - begun };
  }
}

/**
 * A failure is replayed before it is told: where what came before matters, the values alone do not bring it about again, and
 * its replay is then the seed of the whole case.
 */
async function confirmed(trial: Trial, options: RunOptions): Promise<Outcome> {
  const outcome = await tried(trial, options);
  const { status, fault } = outcome;
  if (status !== 'Fail' || fault?.counterexample === undefined || options.replay !== undefined) return outcome;
  const replay = readReplay(fault.replay);
  const again = await tried(trial, { ...options, ...(replay === undefined ? {} : { replay }) });
  if (again.status === 'NotReached' || again.fault?.counterexample === fault.counterexample) return outcome;
  return { status, fault: { ...fault, replay: replayText({ seed: options.seed }) } };
}

type Outcome = Pick<Result, 'status' | 'reason' | 'fault'>;

async function tried(trial: Trial, { seed, replay, signal, patience = (work) => work }: RunOptions): Promise<Outcome> {
  const { path, property = 1 } = replay ?? {};
  beginCase({ ran: judge, ...(path === undefined ? {} : { replay: { path, property } }) });
  const over = new AbortController();
  try {
    const ended = new Promise<'ended'>((resolve) =>
      signal?.addEventListener('abort', () => resolve('ended'), { once: true, signal: over.signal }),
    );
    const outcome = await Promise.race([patience(trial.run()), ended]);
    return outcome === 'ended' ? { status: 'NotReached', reason: 'the run was ended' } : { status: 'Pass' };
  } catch (error) {
    return read(error, seed);
  } finally {
    over.abort();
  }
}
