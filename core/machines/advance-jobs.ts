import type { Row } from '../model/index.js';
import { isBroken, isFailure, isUnfinished, type JobEvent, type JobState, jobMachine } from './job.js';
import { takes, transition } from './machine.js';

/** The fields of a job that progress depends on. */
export type MachineJob = Pick<Row<'job'>, 'type' | 'state' | 'soft_failed' | 'retried' | 'continue_on_failure'>;

/** A failure that fails the build (decisions 6). */
export const isHardFailure = (job: MachineJob): boolean => !job.retried && !job.soft_failed && isFailure(job.state);

/** What the jobs before a step allow it to do. */
type Gate = 'open' | 'wait' | 'block' | 'break';

/**
 * The state of every job once each has gone as far as the jobs before it allow: what is ready becomes scheduled, a wait step
 * passes when all before it are done, a block step that is reached blocks, and nothing runs behind one that failed.
 *
 * `jobs` are all jobs of one build in the order of their steps. Retried executions keep their state and hold nobody up.
 * Running it on its own result changes nothing.
 */
export function advanceJobs(jobs: readonly MachineJob[]): JobState[] {
  let gate: Gate = 'open';
  let unfinished = false;
  let failed = false;
  return jobs.map((job) => {
    if (job.retried) return job.state;
    const before: EarlierJobs = { gate, unfinished, failed };
    const state = isBarrier(job) ? barrierState(job, before) : runnableState(job, gate);
    if (isBarrier(job)) gate = gateAfter(state, gate);
    unfinished ||= isUnfinished(state);
    failed ||= isHardFailure({ ...job, state });
    return state;
  });
}

/**
 * The states that jobs begin with when one of them is to be run again, before `advanceJobs`: wait and block steps that were
 * canceled with their build stand in the way again, or whatever is behind them could never be retried (decisions 6).
 */
export const reopenBarriers = (jobs: readonly MachineJob[]): JobState[] =>
  jobs.map((job) =>
    isBarrier(job) && job.state === 'canceled' && !job.retried
      ? transition(jobMachine, job.state, 'reopen')
      : job.state,
  );

/**
 * Whether the job at that place is a block step that may be unblocked. One that stands behind another is `blocked` as well, but
 * must not be opened before everything in front of it has ended (decisions 7).
 */
export function isUnblockable(jobs: readonly MachineJob[], index: number): boolean {
  const job = jobs[index];
  if (job?.type !== 'manual' || job.state !== 'blocked' || job.retried) return false;
  return jobs.slice(0, index).every((earlier) => earlier.retried || !isUnfinished(earlier.state));
}

interface EarlierJobs {
  readonly gate: Gate;
  readonly unfinished: boolean;
  readonly failed: boolean;
}

const isBarrier = (job: MachineJob): boolean => job.type === 'waiter' || job.type === 'manual';

/** States of jobs that wait for other jobs. */
const isHeldUp = (state: JobState): boolean => takes(jobMachine, state, 'wait') || takes(jobMachine, state, 'block');

/** States of jobs between being made and being ready, and of those that may come back there. */
const dependsOnEarlierJobs = (state: JobState): boolean => {
  const reopened = isBroken(state) ? jobMachine[state].reopen : state;
  return reopened !== undefined && isHeldUp(reopened);
};

function runnableState(job: MachineJob, gate: Gate): JobState {
  if (!dependsOnEarlierJobs(job.state)) return job.state;
  return advanceTo(job.state, gate === 'open' ? 'schedule' : gate);
}

function barrierState(job: MachineJob, { gate, unfinished, failed }: EarlierJobs): JobState {
  const broken = failed && !job.continue_on_failure;
  if (job.state === 'unblocked_failed')
    return gate === 'open' && !unfinished && !broken ? transition(jobMachine, job.state, 'reopen') : job.state;
  if (!dependsOnEarlierJobs(job.state)) return job.state;
  if (gate !== 'open') return advanceTo(job.state, gate);
  if (unfinished) return advanceTo(job.state, 'wait');
  if (job.type === 'waiter') return transition(jobMachine, advanceTo(job.state, 'wait'), broken ? 'fail' : 'pass');
  const reached = advanceTo(job.state, 'block');
  return broken ? transition(jobMachine, reached, 'fail') : reached;
}

/** What a wait or block step in this state allows the later steps to do. */
function gateAfter(state: JobState, gate: Gate): Gate {
  if (isBroken(state) || state === 'canceled') return 'break';
  if (state === 'blocked') return 'block';
  return isUnfinished(state) ? 'wait' : gate;
}

const targetStates = {
  wait: 'waiting',
  block: 'blocked',
  schedule: 'scheduled',
  break: 'broken',
} as const satisfies Partial<Record<JobEvent, JobState>>;

/** Takes a held job to where the event leads, by way of `pending` if it was broken. Where it is there already, it stays. */
function advanceTo(state: JobState, event: keyof typeof targetStates): JobState {
  if (state === targetStates[event]) return state;
  if (event === 'break' && isBroken(state)) return state;
  return transition(jobMachine, isBroken(state) ? transition(jobMachine, state, 'reopen') : state, event);
}
