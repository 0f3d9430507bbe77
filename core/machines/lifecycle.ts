import type { Row, Timestamp } from '../model/index.js';
import { advanceJobs, reopenBarriers } from './advance-jobs.js';
import { type BuildEvent, type BuildState, buildMachine, isBlocked, isCancelable, isFinished } from './build.js';
import { deriveBuildEvent } from './derive-build-event.js';
import { isUnfinished, isWithAgent, type JobEvent, type JobState, jobMachine } from './job.js';
import { takes, transition } from './machine.js';

type Build = Row<'build'>;
type Job = Row<'job'>;

/** A build with all of its jobs in the order of their steps. They change together and share one version. */
export interface BuildAggregate {
  readonly build: Build;
  readonly jobs: readonly Job[];
}

/** The job after an event, with the times that its new state sets (spec 2.3). */
export const transitionJob = (job: Job, event: JobEvent, now: Timestamp): Job =>
  enterJobState(job, transition(jobMachine, job.state, event), now);

function enterJobState(job: Job, state: JobState, now: Timestamp): Job {
  if (state === job.state) return job;
  return {
    ...job,
    state,
    runnable_at: state === 'scheduled' ? (job.runnable_at ?? now) : job.runnable_at,
    started_at: state === 'running' ? now : job.started_at,
    finished_at: isUnfinished(state) ? null : now,
  };
}

/** The build after an event, with the times that its new state sets (spec 2.4). */
export function transitionBuild(build: Build, event: BuildEvent, now: Timestamp): Build {
  const state: BuildState = transition(buildMachine, build.state, event);
  return {
    ...build,
    state,
    finished_at: isFinished(state) ? now : null,
  };
}

/** Advances all jobs after some of them changed, and then the build. */
export function advanceBuild({ build, jobs }: BuildAggregate, now: Timestamp): BuildAggregate {
  const states = advanceJobs(jobs);
  const advanced = isCancelable(build.state)
    ? jobs.map((job, index) => enterJobState(job, states[index] ?? job.state, now))
    : jobs;
  const started = advanced.some((job) => job.started_at !== null);
  // `started_at` does not depend on the build's state: it can be failing or blocked before any job has started (spec 2.4).
  const startedBuild = started && build.started_at === null ? { ...build, started_at: now } : build;
  const event = deriveBuildEvent(build.state, advanced, started);
  return { build: event === undefined ? startedBuild : transitionBuild(startedBuild, event, now), jobs: advanced };
}

/** Applies an event to every unfinished job that accepts it. */
function endJobs(jobs: readonly Job[], event: (job: Job) => JobEvent, now: Timestamp): Job[] {
  return jobs.map((job) => {
    const ending = event(job);
    return isUnfinished(job.state) && takes(jobMachine, job.state, ending) ? transitionJob(job, ending, now) : job;
  });
}

/**
 * Cancels a build that can be canceled. `immediate`: all unfinished jobs are canceled. `graceful`: running jobs become
 * `canceling`, and the build is `canceling` until they have ended (decisions 7).
 */
export function cancelBuild(
  { build, jobs }: BuildAggregate,
  mode: 'immediate' | 'graceful',
  reason: string,
  now: Timestamp,
): BuildAggregate {
  const endsGracefully = (job: Job) => mode === 'graceful' && takes(jobMachine, job.state, 'cancel_gracefully');
  const gracefully = jobs.some(endsGracefully);
  const ended = endJobs(jobs, (job) => (endsGracefully(job) ? 'cancel_gracefully' : 'cancel'), now);
  const moved = transitionBuild(build, gracefully ? 'cancel_gracefully' : 'cancel', now);
  return advanceBuild({ build: { ...moved, cancel_reason: reason }, jobs: ended }, now);
}

/** Skips a build that has not started, because of a newer one (decisions 7). */
export const skipBuild = ({ build, jobs }: BuildAggregate, now: Timestamp): BuildAggregate => ({
  build: transitionBuild(build, 'skip', now),
  jobs: endJobs(jobs, (job) => (takes(jobMachine, job.state, 'skip') ? 'skip' : 'cancel'), now),
});

/** Unblocks one of the block steps of a build. */
export function unblockBuild({ build, jobs }: BuildAggregate, jobId: string, now: Timestamp): BuildAggregate {
  const moved = jobs.map((job) => (job.id === jobId ? transitionJob(job, 'unblock', now) : job));
  return advanceBuild(
    { build: isBlocked(build.state) ? transitionBuild(build, 'unblock', now) : build, jobs: moved },
    now,
  );
}

/** Continues a build after one of its jobs was retried, even if the build was finished (decisions 6). */
export function reopenBuild({ build, jobs }: BuildAggregate, now: Timestamp): BuildAggregate {
  const states = reopenBarriers(jobs);
  const opened = jobs.map((job, index) => enterJobState(job, states[index] ?? job.state, now));
  const reopens = takes(buildMachine, build.state, 'reopen');
  return advanceBuild({ build: reopens ? transitionBuild(build, 'reopen', now) : build, jobs: opened }, now);
}

/** Whether an agent holds the job. Its heartbeat must report the job's end if something else ends it. */
export const isHeldByAgent = (job: Job): boolean => job.agent_id !== null && isWithAgent(job.state);
