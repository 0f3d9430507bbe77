import type { MachineJob } from './advance-jobs.js';
import type { BuildState } from './build.js';
import type { JobState } from './job.js';

/**
 * A second, slower account of decisions 6 and 7, written from the text and not from the code: it asks about each job and each
 * build anew, looking at everything, where the code keeps running totals and moves by events.
 */
const hasState =
  (...states: JobState[]) =>
  (job: MachineJob): boolean =>
    states.includes(job.state);

const hasEnded = hasState(
  ...(['waiting_failed', 'blocked_failed', 'unblocked', 'unblocked_failed', 'passed', 'failed'] as const),
  ...(['canceled', 'timed_out', 'skipped', 'broken', 'expired'] as const),
);
const isCurrent = (job: MachineJob) => !job.retried;
const isBarrier = (job: MachineJob) => job.type === 'waiter' || job.type === 'manual';
const isHardFailure = (job: MachineJob) =>
  !job.soft_failed && hasState('failed', 'timed_out', 'expired', 'canceled')(job);
const movable = hasState(
  ...(['pending', 'waiting', 'blocked'] as const),
  ...(['waiting_failed', 'blocked_failed', 'unblocked_failed', 'broken'] as const),
);

const isOpenBarrier = hasState('passed', 'unblocked', 'skipped');
const isDeadEnd = hasState('waiting_failed', 'blocked_failed', 'unblocked_failed', 'broken', 'canceled');

/** Where each job belongs, given the ones before it. */
export function expectedJobStates(jobs: readonly MachineJob[]): JobState[] {
  const placed: MachineJob[] = [];
  for (const job of jobs)
    placed.push({ ...job, state: job.retried ? job.state : expectedJobState(job, placed.filter(isCurrent)) });
  return placed.map((job) => job.state);
}

function expectedJobState(job: MachineJob, before: readonly MachineJob[]): JobState {
  if (!movable(job)) return job.state;
  const gates = before.filter(isBarrier);
  const shut = gates.find((gate) => !isOpenBarrier(gate));
  const mayGo = before.every(hasEnded) && (job.continue_on_failure || !before.some(isHardFailure));
  if (job.state === 'unblocked_failed') return shut === undefined && mayGo ? 'unblocked' : job.state;
  if (gates.some(isDeadEnd)) return isDeadEnd(job) ? job.state : 'broken';
  if (shut) return shut.state === 'blocked' ? 'blocked' : 'waiting';
  if (!isBarrier(job)) return 'scheduled';
  if (!before.every(hasEnded)) return 'waiting';
  if (job.type === 'waiter') return mayGo ? 'passed' : 'waiting_failed';
  return mayGo ? 'blocked' : 'blocked_failed';
}

/** What has been done to a build as a whole, apart from what its jobs tell. */
export interface BuildHistory {
  /** How it was ended from outside, if it was. */
  readonly ended: 'no' | 'canceling' | 'canceled' | 'skipped';
  /** Whether it has ever left `scheduled`. */
  readonly hasBegun: boolean;
}

/** The state that a build must be in, from its jobs and its story alone. */
export function expectedBuildState(jobs: readonly MachineJob[], history: BuildHistory): BuildState {
  const live = jobs.filter(isCurrent);
  const open = live.filter((job) => !hasEnded(job));
  if (history.ended === 'canceling') return open.length > 0 ? 'canceling' : 'canceled';
  if (history.ended !== 'no') return history.ended;
  const hurt = live.some(isHardFailure);
  if (open.length > 0 && open.some((job) => job.state !== 'blocked'))
    return hurt ? 'failing' : history.hasBegun ? 'running' : 'scheduled';
  if (open.length > 0) return hurt ? 'blocked_failed' : 'blocked_passed';
  if (hurt) return 'failed';
  const work = live.filter((job) => !isBarrier(job));
  const idle = !history.hasBegun && work.length > 0 && work.every((job) => job.state === 'skipped');
  return idle ? 'not_run' : 'passed';
}
