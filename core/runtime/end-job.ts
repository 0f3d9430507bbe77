import { merge } from '../commands/batch.js';
import { changeBuild, freeAgents, holdingAgentIds } from '../commands/build-changes.js';
import {
  advanceBuild,
  type BuildAggregate,
  isHardFailure,
  isHeldByAgent,
  isStopRequested,
  jobMachine,
  takes,
  transitionJob,
} from '../machines/index.js';
import type { QueryRow, Row, Timestamp } from '../model/index.js';
import type { Batch } from '../ports/index.js';
import type { Reader } from '../ports/storage.js';

/** A job, its build, and the agents that hold jobs of that build. */
export interface JobContext {
  readonly job: Row<'job'>;
  readonly build: QueryRow<'build.ofPipeline'>;
  readonly agents: readonly QueryRow<'agent.inOrganization'>[];
}

/** Loads a job with its build and agents. Undefined if there is no such job. */
export async function loadJobContext(jobId: string, reader: Reader): Promise<JobContext | undefined> {
  const [found] = await reader.load('job.inQueue', [jobId.toLowerCase()]);
  const [build] = found ? await reader.load('build.ofPipeline', [found.build_id]) : [];
  const job = build?.jobs.find((candidate) => candidate.id === found?.id);
  if (!build || !job) return undefined;
  const holders = holdingAgentIds(build.jobs);
  return { job, build, agents: holders.length > 0 ? await reader.load('agent.inOrganization', holders) : [] };
}

/** Replaces a job in the list, and inserts new jobs after it. */
export const replaceJob = (
  jobs: BuildAggregate['jobs'],
  changed: Row<'job'>,
  ...more: readonly Row<'job'>[]
): Row<'job'>[] => jobs.flatMap((job) => (job.id === changed.id ? [changed, ...more] : [job]));

/** The end of a job, as its agent or the host program reports it. */
export interface JobOutcome {
  readonly exitStatus: number;
  /** The id of the new job if the job is retried automatically. */
  readonly retryId: string;
}

/** Ends a job. It is retried automatically if its step says so. Its build advances (decisions 6, 7). */
export function endJob({ job, build, agents }: JobContext, outcome: JobOutcome, now: Timestamp) {
  const before: BuildAggregate = { build, jobs: build.jobs };
  const ended = endedJob(job, outcome.exitStatus, now);
  const retry = shouldRetryAutomatically(ended, build.jobs)
    ? createRetry(ended, outcome.retryId, 'automatic', now)
    : undefined;
  const jobs = retry ? replaceJob(build.jobs, retry.retried, retry.next) : replaceJob(build.jobs, ended);
  const after = advanceBuild({ build, jobs }, now);
  return { after, batch: merge(changeBuild(before, after, now), freeAgents(agents, after.jobs, now)) };
}

function endedJob(job: Row<'job'>, exitStatus: number, now: Timestamp): Row<'job'> {
  const moved = transitionJob(job, isStopRequested(job.state) ? 'settle' : exitStatus === 0 ? 'pass' : 'fail', now);
  const softFailed =
    moved.state === 'failed' &&
    (typeof job.soft_fail === 'boolean' ? job.soft_fail : job.soft_fail.includes(exitStatus));
  return { ...moved, exit_status: exitStatus, soft_failed: softFailed };
}

function shouldRetryAutomatically(job: Row<'job'>, jobs: BuildAggregate['jobs']): boolean {
  if (job.state !== 'failed' || !isHardFailure(job)) return false;
  const earlier = jobs.filter((other) => other.retry_type === 'automatic' && isSameStep(other, job)).length;
  return job.automatic_retry.some(
    (rule) => (rule.exit_status === '*' || rule.exit_status === job.exit_status) && earlier < rule.limit,
  );
}

const isSameStep = (one: Row<'job'>, other: Row<'job'>): boolean =>
  one.position === other.position && one.step_id === other.step_id;

/** The new job that repeats a job, and the old one marked as retried (decisions 6). */
export function createRetry(job: Row<'job'>, id: string, type: 'manual' | 'automatic', now: Timestamp) {
  const retried: Row<'job'> = { ...job, retried: true, retried_in_job_id: id, retry_type: type };
  const next: Row<'job'> = {
    ...job,
    id,
    version: 1,
    state: 'pending',
    agent_id: null,
    agent: null,
    exit_status: null,
    soft_failed: false,
    retried: false,
    retried_in_job_id: null,
    retry_type: null,
    retries_count: (job.retries_count ?? 0) + 1,
    retry_source: { job_id: job.id, retry_type: type },
    created_at: now,
    runnable_at: null,
    started_at: null,
    finished_at: null,
  };
  return { retried, next };
}

/** Ends the job of an agent that disconnected or was lost: released if it had not started, else failed with -1 (decisions 6). */
export function abandonJob(jobContext: JobContext, retryId: string, now: Timestamp): Batch {
  const { job, build } = jobContext;
  // The job ended or was released after the agent was read. That changed the agent too, so this commit will conflict.
  if (!isHeldByAgent(job)) return merge();
  if (!takes(jobMachine, job.state, 'release')) return endJob(jobContext, { exitStatus: -1, retryId }, now).batch;
  const released = { ...transitionJob(job, 'release', now), agent_id: null, agent: null };
  const before: BuildAggregate = { build, jobs: build.jobs };
  return merge(changeBuild(before, { build, jobs: replaceJob(build.jobs, released) }, now));
}
