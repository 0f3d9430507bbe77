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
 * Advances the jobs of a new build until they fit the state of the build. They change only by transitions of the state machines:
 * scheduled jobs run and end, and block steps that are reached are unblocked.
 *
 * Undefined if the build is to be blocked and has no block step.
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

/** The jobs after each has advanced as the earlier ones allow. */
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

/** Unblocks the block step that the build has reached. Undefined if it has not reached any. */
function unblockNext(jobs: readonly Job[]): Job[] | undefined {
  const reached = jobs.find((_, index) => isUnblockable(jobs, index));
  return reached && withState(jobs, reached, 'unblocked');
}

/** Ends all scheduled jobs as passed, except the one that is to fail. */
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

/** The smallest exit status that is not a soft failure of the job. */
function hardFailureStatus({ soft_fail }: Job): number {
  let status = 1;
  while (Array.isArray(soft_fail) && soft_fail.includes(status)) status += 1;
  return status;
}

/** Starts the first job that can run. Block steps before it are unblocked. */
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

/** Running jobs become `canceling`, and all other unfinished jobs `canceled` (decisions 7). */
function deriveCanceling(newJobs: readonly Job[]): Job[] {
  const jobs = deriveRunning(newJobs);
  const asked = jobs.find((job) => job.state === 'running');
  return endUnfinished(jobs, 'canceled').map((job) => (job.id === asked?.id ? { ...job, state: 'canceling' } : job));
}

/** A job has failed while another one runs. If no two jobs can run at the same time, the first one runs and none has failed. */
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

/** All jobs have ended. If the build is to fail, the first job that can fail it has failed. */
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

/** All jobs before the first block step have ended. It blocks even after a failure, since the document says that it is blocked. */
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
