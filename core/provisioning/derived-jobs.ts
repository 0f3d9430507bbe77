import {
  advanceJobs,
  type BuildState,
  isUnblockable,
  isUnfinished,
  type JobState,
  jobMachine,
} from '../machines/index.js';
import type { Row } from '../model/index.js';

type Job = Row<'job'>;

/**
 * Brings the jobs of a new build as far along as the state of their build says: jobs go the ways that the machines have, each
 * scheduled one is ended, each block step that is reached is unblocked, until the build would be in that state.
 *
 * Undefined for a build that is to be blocked and has no block step.
 */
export function deriveJobs(state: BuildState, newJobs: readonly Job[]): readonly Job[] | undefined {
  switch (state) {
    case 'scheduled':
      return advance(newJobs);
    case 'running':
      return deriveRunning(newJobs);
    case 'failing':
      return deriveFailing(newJobs);
    case 'passed':
      return deriveEnded(newJobs, false);
    case 'failed':
      return deriveEnded(newJobs, true);
    case 'blocked_passed':
      return deriveBlocked(newJobs, false);
    case 'blocked_failed':
      return deriveBlocked(newJobs, true);
    case 'canceling':
      return deriveCanceling(newJobs);
    case 'canceled':
      return endUnfinished(advance(newJobs), 'canceled');
    case 'skipped':
      return endUnfinished(newJobs, 'skipped');
    case 'not_run':
      return newJobs.map((job) => ({ ...job, state: 'skipped' }));
  }
}

/** Every job as far as the ones before it allow. */
function advance(jobs: readonly Job[]): Job[] {
  const states = advanceJobs(jobs);
  return jobs.map((job, index) => ({ ...job, state: states[index] ?? job.state }));
}

const endUnfinished = (jobs: readonly Job[], state: 'canceled' | 'skipped'): Job[] =>
  jobs.map((job) =>
    isUnfinished(job.state) && Object.values(jobMachine[job.state]).includes(state) ? { ...job, state } : job,
  );

const scheduled = (jobs: readonly Job[]): Job[] => jobs.filter((job) => job.state === 'scheduled');
const withState = (jobs: readonly Job[], only: Job | undefined, state: JobState): Job[] =>
  jobs.map((job) => (job === only ? { ...job, state } : job));

/** Lets the build go on past a block step that it has reached; undefined if it has not reached any. */
function unblockNext(jobs: readonly Job[]): Job[] | undefined {
  const reached = jobs.find((_, index) => isUnblockable(jobs, index));
  return reached && withState(jobs, reached, 'unblocked');
}

/** All scheduled jobs passed, but for the one that is to fail. */
const finishScheduled = (jobs: readonly Job[], failing?: Job): Job[] =>
  jobs.map((job) => {
    if (job.state !== 'scheduled') return job;
    return job === failing
      ? { ...job, state: 'failed', exit_status: hardFailureStatus(job) }
      : { ...job, state: 'passed', exit_status: 0 };
  });

/** The first scheduled job whose failure fails the build. */
const firstThatCanFail = (jobs: readonly Job[]): Job | undefined =>
  scheduled(jobs).find((job) => job.soft_fail !== true);

/** The smallest exit status that the job's step does not forgive. */
function hardFailureStatus({ soft_fail }: Job): number {
  let status = 1;
  while (Array.isArray(soft_fail) && soft_fail.includes(status)) status += 1;
  return status;
}

/** The first job that can run runs; a block step before it has been unblocked. */
function deriveRunning(newJobs: readonly Job[]): Job[] {
  let jobs = advance(newJobs);
  for (;;) {
    const [first] = scheduled(jobs);
    if (first) return withState(jobs, first, 'running');
    const next = unblockNext(jobs);
    if (!next) return jobs;
    jobs = advance(next);
  }
}

/** What ran is asked to end, all else has been canceled (decisions 7). */
function deriveCanceling(newJobs: readonly Job[]): Job[] {
  const jobs = deriveRunning(newJobs);
  const asked = jobs.find((job) => job.state === 'running');
  return endUnfinished(jobs, 'canceled').map((job) => (job.id === asked?.id ? { ...job, state: 'canceling' } : job));
}

/** A job has failed while another one runs. Where no two ever run together, the first one runs: what a build may yet be. */
function deriveFailing(newJobs: readonly Job[]): Job[] {
  let jobs = advance(newJobs);
  for (;;) {
    const failed = firstThatCanFail(jobs);
    const other = scheduled(jobs).find((job) => job !== failed);
    if (failed && other) {
      return jobs.map((job) => {
        if (job === failed) return { ...job, state: 'failed', exit_status: hardFailureStatus(job) };
        return job === other ? { ...job, state: 'running' } : job;
      });
    }
    const next = scheduled(jobs).length > 0 ? finishScheduled(jobs) : unblockNext(jobs);
    if (!next) return deriveRunning(newJobs);
    jobs = advance(next);
  }
}

/** Everything has ended; the first job that can fail the build did, if it is to fail. */
function deriveEnded(newJobs: readonly Job[], fails: boolean): Job[] {
  let jobs = advance(newJobs);
  let failed = !fails;
  for (;;) {
    const failing = failed ? undefined : firstThatCanFail(jobs);
    failed ||= failing !== undefined;
    const next = scheduled(jobs).length > 0 ? finishScheduled(jobs, failing) : unblockNext(jobs);
    if (!next) return jobs;
    jobs = advance(next);
  }
}

/** Nothing is left to run but what stands behind the first block step. It blocks even behind a failure: the document says so. */
function deriveBlocked(newJobs: readonly Job[], fails: boolean): Job[] | undefined {
  let jobs = advance(newJobs.map((job) => ({ ...job, continue_on_failure: true })));
  let failed = !fails;
  while (scheduled(jobs).length > 0) {
    const failing = failed ? undefined : firstThatCanFail(jobs);
    failed ||= failing !== undefined;
    jobs = advance(finishScheduled(jobs, failing));
  }
  if (!jobs.some((_, index) => isUnblockable(jobs, index))) return undefined;
  return jobs.map((job, index) => ({ ...job, continue_on_failure: newJobs[index]?.continue_on_failure ?? false }));
}
