import type { Row } from '../model/index.js';
import { isBroken, isFailure, isUnfinished, type JobEvent, type JobState, jobMachine } from './job.js';
import { takes, transition } from './machine.js';

/** The fields of a job that `advanceJobs` depends on. */
export type MachineJob = Pick<Row<'job'>, 'type' | 'state' | 'soft_failed' | 'retried' | 'continue_on_failure'>;

/** A failure that fails the build (decisions 6). */
export const isHardFailure = (job: MachineJob): boolean => !job.retried && !job.soft_failed && isFailure(job.state);

/** What the earlier jobs allow a step to do. */
type Gate = 'open' | 'wait' | 'block' | 'break';

/**
 * Advances every job as the earlier jobs allow, and returns the new states. A job that is ready becomes scheduled. A wait step
 * passes when all earlier jobs have ended. A block step blocks when it is reached. A wait or block step behind a failure becomes
 * broken, unless it continues on failure, and so do the jobs behind it.
 *
 * `jobs` are all jobs of one build in the order of their steps. Retried jobs do not change and do not hold up later jobs.
 * The function is idempotent.
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
 * The states of the jobs of a build when one of them is retried, before `advanceJobs`. Wait and block steps that were canceled
 * with their build are reopened. Otherwise jobs behind them could never run again (decisions 6).
 */
export const reopenBarriers = (jobs: readonly MachineJob[]): JobState[] =>
  jobs.map((job) =>
    isBarrier(job) && job.state === 'canceled' && !job.retried
      ? transition(jobMachine, job.state, 'reopen')
      : job.state,
  );

/**
 * Whether the job at this index is a block step that may be unblocked. A block step behind another one is `blocked` too, but
 * must not be unblocked before all earlier jobs have ended (decisions 7).
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

/** States of jobs that are not ready yet, and broken states from which a job can return to those. */
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

/** Applies the event to a job that waits or is broken. A broken job is reopened first. No change if it is in the target state. */
function advanceTo(state: JobState, event: keyof typeof targetStates): JobState {
  if (state === targetStates[event]) return state;
  if (event === 'break' && isBroken(state)) return state;
  return transition(jobMachine, isBroken(state) ? transition(jobMachine, state, 'reopen') : state, event);
}
