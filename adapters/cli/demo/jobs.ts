import type { FixtureRecord } from '../../../core/index.js';
import type { BuildSpec } from './build-specs.js';
import { isoTime } from './calendar.js';
import { workers } from './fleet.js';
import { type JobTimeline, jobTimelines, retryDelay } from './job-timeline.js';
import { integerBetween, pick, uuidOf } from './seeded-random.js';

export type Job = NonNullable<FixtureRecord<'builds'>['jobs']>[number];

/** The jobs of a build in the states of its scenario. */
export function jobsOf(spec: BuildSpec, name: string, created: number): Job[] {
  const freeAgents = [...(spec.busyAgents ?? [])];
  return jobTimelines(spec, name, created).flatMap((timeline, position) => {
    const id = uuidOf(`${name}/job/${position}`, created);
    const job = toJob(timeline, id, created, agentOf(timeline, `${name}/${position}`, freeAgents));
    return timeline.retryType ? withFailedExecution(job, timeline, `${name}/${position}`, created) : [job];
  });
}

function toJob(
  { run, state, exitStatus = null, ...times }: JobTimeline,
  id: string,
  created: number,
  agent: string | null,
): Job {
  const { step } = run;
  return {
    id,
    type: step.type ?? 'script',
    state,
    name: step.name ?? null,
    step_key: step.key ?? null,
    step: { id: step.id as string, signature: step.signature ?? null },
    command: step.command ?? null,
    artifact_paths: step.artifact_paths ?? null,
    agent_query_rules: step.agent_query_rules ?? [],
    agent,
    exit_status: exitStatus,
    soft_failed: times.softFailed ?? false,
    parallel_group_index: run.index,
    parallel_group_total: step.parallelism ?? null,
    matrix: run.matrix,
    created_at: isoTime(created),
    scheduled_at: isoTime(created),
    runnable_at: isoTimeOrNull(times.runnableAt),
    started_at: isoTimeOrNull(times.startedAt),
    finished_at: isoTimeOrNull(times.finishedAt),
  };
}

const isoTimeOrNull = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at));

/** The agent that ran or runs the job. */
function agentOf({ run, startedAt, finishedAt }: JobTimeline, name: string, freeAgents: string[]): string | null {
  if (run.step.type !== undefined || startedAt === undefined) return null;
  if (finishedAt === undefined) return freeAgents.shift() ?? null;
  const [queue = 'default'] = (run.step.agent_query_rules ?? []).map((rule) => rule.replace('queue=', ''));
  if (queue === 'mac') return pick(name, ['mac-01', 'mac-02']);
  return queue === 'deploy' ? 'deploy-01' : pick(name, workers);
}

/** The job, preceded by a failed execution of which it is the retry. */
function withFailedExecution(job: Job, { retryType = 'manual' }: JobTimeline, name: string, created: number): Job[] {
  const id = uuidOf(`${name}/earlier`, created);
  const end = Date.parse(job.runnable_at ?? '');
  const started = end - integerBetween(name, 5, 25) * 1_000;
  const failed: Job = {
    ...job,
    id,
    state: 'failed',
    exit_status: retryType === 'automatic' ? -1 : 1,
    runnable_at: isoTime(end - retryDelay),
    started_at: isoTime(started),
    finished_at: isoTime(end),
    retried: true,
    retried_in_job_id: job.id as string,
    retry_type: retryType,
  };
  const next: Job = {
    ...job,
    created_at: isoTime(end),
    runnable_at: isoTime(end),
    retries_count: 1,
    retry_source: { job_id: id, retry_type: retryType },
  };
  return [failed, next];
}
