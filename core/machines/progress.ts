import type { Row } from '../model/index.js';
import { isBroken, isFailure, isUnfinished, type JobEvent, type JobState, jobMachine } from './job.js';
import { move } from './machine.js';

/** What progress depends on in a job. */
export type ProgressJob = Pick<Row<'job'>, 'type' | 'state' | 'soft_failed' | 'retried' | 'continue_on_failure'>;

/** A failure that fails the build (decisions 6). */
export const failedHard = (job: ProgressJob): boolean => !job.retried && !job.soft_failed && isFailure(job.state);

/** How far the jobs before a step let it go. */
type Gate = 'open' | 'wait' | 'block' | 'break';

/**
 * The state of every job once each has gone as far as the jobs before it allow: what is ready becomes scheduled, a wait step
 * passes when all before it are done, a block step that is reached blocks, and nothing runs behind one that failed.
 *
 * `jobs` are all jobs of one build in the order of their steps. Retried executions keep their state and hold nobody up.
 * Running it on its own result changes nothing.
 */
export function progress(jobs: readonly ProgressJob[]): JobState[] {
  let gate: Gate = 'open';
  let unfinished = false;
  let failed = false;
  return jobs.map((job) => {
    if (job.retried) return job.state;
    const before: Before = { gate, unfinished, failed };
    const state = isBarrier(job) ? barrierState(job, before) : workState(job, gate);
    if (isBarrier(job)) gate = gateBehind(state, gate);
    unfinished ||= isUnfinished(state);
    failed ||= failedHard({ ...job, state });
    return state;
  });
}

/**
 * The states that jobs begin with when one of them is to be run again, before `progress`: wait and block steps that were
 * canceled with their build stand in the way again, or whatever is behind them could never be retried (decisions 6).
 */
export const reopen = (jobs: readonly ProgressJob[]): JobState[] =>
  jobs.map((job) =>
    isBarrier(job) && job.state === 'canceled' && !job.retried ? move(jobMachine, job.state, 'reopen') : job.state,
  );

/**
 * Whether the job at that place is a block step that may be unblocked. One that stands behind another is `blocked` as well, but
 * must not be opened before everything in front of it has ended (decisions 7).
 */
export function isReached(jobs: readonly ProgressJob[], index: number): boolean {
  const job = jobs[index];
  if (job?.type !== 'manual' || job.state !== 'blocked' || job.retried) return false;
  return jobs.slice(0, index).every((earlier) => earlier.retried || !isUnfinished(earlier.state));
}

interface Before {
  readonly gate: Gate;
  readonly unfinished: boolean;
  readonly failed: boolean;
}

const isBarrier = (job: ProgressJob): boolean => job.type === 'waiter' || job.type === 'manual';

/** Jobs that are somewhere between being made and being ready, and those that may come back there. */
const isHeld = (state: JobState): boolean =>
  ['pending', 'waiting', 'blocked', 'waiting_failed', 'blocked_failed', 'broken'].includes(state);

function workState(job: ProgressJob, gate: Gate): JobState {
  if (!isHeld(job.state)) return job.state;
  return reach(job.state, gate === 'open' ? 'schedule' : gate);
}

function barrierState(job: ProgressJob, { gate, unfinished, failed }: Before): JobState {
  const broken = failed && !job.continue_on_failure;
  if (job.state === 'unblocked_failed')
    return gate === 'open' && !unfinished && !broken ? move(jobMachine, job.state, 'reopen') : job.state;
  if (!isHeld(job.state)) return job.state;
  if (gate !== 'open') return reach(job.state, gate);
  if (unfinished) return reach(job.state, 'wait');
  if (job.type === 'waiter') return move(jobMachine, reach(job.state, 'wait'), broken ? 'fail' : 'pass');
  const reached = reach(job.state, 'block');
  return broken ? move(jobMachine, reached, 'fail') : reached;
}

/** The gate that a wait or block step in that state leaves for what comes behind it. */
function gateBehind(state: JobState, gate: Gate): Gate {
  if (isBroken(state) || state === 'canceled') return 'break';
  if (state === 'blocked') return 'block';
  return isUnfinished(state) ? 'wait' : gate;
}

const targets = {
  wait: 'waiting',
  block: 'blocked',
  schedule: 'scheduled',
  break: 'broken',
} as const satisfies Partial<Record<JobEvent, JobState>>;

/** Takes a held job to where the event leads, by way of `pending` if it was broken. Where it is there already, it stays. */
function reach(state: JobState, event: keyof typeof targets): JobState {
  if (state === targets[event]) return state;
  if (event === 'break' && isBroken(state)) return state;
  return move(jobMachine, isBroken(state) ? move(jobMachine, state, 'reopen') : state, event);
}
