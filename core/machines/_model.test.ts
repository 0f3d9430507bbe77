import type { BuildState } from './build.js';
import type { JobState } from './job.js';
import type { ProgressJob } from './progress.js';

/**
 * A second, slower account of decisions 6 and 7, written from the text and not from the code: it asks about each job and each
 * build anew, looking at everything, where the code keeps running totals and moves by events.
 */
const among =
  (...states: JobState[]) =>
  (job: ProgressJob): boolean =>
    states.includes(job.state);

const atRest = among(
  ...(['waiting_failed', 'blocked_failed', 'unblocked', 'unblocked_failed', 'passed', 'failed'] as const),
  ...(['canceled', 'timed_out', 'skipped', 'broken', 'expired'] as const),
);
const counts = (job: ProgressJob) => !job.retried;
const isBarrier = (job: ProgressJob) => job.type === 'waiter' || job.type === 'manual';
const hurts = (job: ProgressJob) => !job.soft_failed && among('failed', 'timed_out', 'expired', 'canceled')(job);
const movable = among(
  ...(['pending', 'waiting', 'blocked'] as const),
  ...(['waiting_failed', 'blocked_failed', 'unblocked_failed', 'broken'] as const),
);

const letsThrough = among('passed', 'unblocked', 'skipped');
const isDeadEnd = among('waiting_failed', 'blocked_failed', 'unblocked_failed', 'broken', 'canceled');

/** Where each job belongs, given the ones before it. */
export function expectedStates(jobs: readonly ProgressJob[]): JobState[] {
  const placed: ProgressJob[] = [];
  for (const job of jobs) placed.push({ ...job, state: job.retried ? job.state : place(job, placed.filter(counts)) });
  return placed.map((job) => job.state);
}

function place(job: ProgressJob, before: readonly ProgressJob[]): JobState {
  if (!movable(job)) return job.state;
  const gates = before.filter(isBarrier);
  const shut = gates.find((gate) => !letsThrough(gate));
  const mayGo = before.every(atRest) && (job.continue_on_failure || !before.some(hurts));
  if (job.state === 'unblocked_failed') return shut === undefined && mayGo ? 'unblocked' : job.state;
  if (gates.some(isDeadEnd)) return isDeadEnd(job) ? job.state : 'broken';
  if (shut) return shut.state === 'blocked' ? 'blocked' : 'waiting';
  if (!isBarrier(job)) return 'scheduled';
  if (!before.every(atRest)) return 'waiting';
  if (job.type === 'waiter') return mayGo ? 'passed' : 'waiting_failed';
  return mayGo ? 'blocked' : 'blocked_failed';
}

/** What has been done to a build as a whole, apart from what its jobs tell. */
export interface Story {
  /** How it was ended from outside, if it was. */
  readonly ended: 'no' | 'canceling' | 'canceled' | 'skipped';
  /** Whether it has ever left `scheduled`. */
  readonly begun: boolean;
}

/** The state that a build must be in, from its jobs and its story alone. */
export function expectedBuild(jobs: readonly ProgressJob[], story: Story): BuildState {
  const live = jobs.filter(counts);
  const open = live.filter((job) => !atRest(job));
  if (story.ended === 'canceling') return open.length > 0 ? 'canceling' : 'canceled';
  if (story.ended !== 'no') return story.ended;
  const hurt = live.some(hurts);
  if (open.length > 0 && open.some((job) => job.state !== 'blocked'))
    return hurt ? 'failing' : story.begun ? 'running' : 'scheduled';
  if (open.length > 0) return hurt ? 'blocked_failed' : 'blocked_passed';
  if (hurt) return 'failed';
  const work = live.filter((job) => !isBarrier(job));
  const idle = !story.begun && work.length > 0 && work.every((job) => job.state === 'skipped');
  return idle ? 'not_run' : 'passed';
}
