import type { FixtureRecord } from '../../../core/index.js';
import { moment } from './calendar.js';
import { between, idOf, pick } from './chance.js';
import { type Course, courseOf, retryDelay } from './course.js';
import { workers } from './fleet.js';
import type { Story } from './history.js';

export type Job = NonNullable<FixtureRecord<'builds'>['jobs']>[number];

/** The jobs of a build, as far along as its story says. */
export function jobsOf(story: Story, name: string, created: number): Job[] {
  const busy = [...(story.busy ?? [])];
  return courseOf(story, name, created).flatMap((course, place) => {
    const id = idOf(`${name}/job/${place}`, created);
    const job = jobOf(course, id, created, agentOf(course, `${name}/${place}`, busy));
    return course.earlier ? withEarlier(job, course, `${name}/${place}`, created) : [job];
  });
}

function jobOf(
  { run, state, exitStatus = null, ...times }: Course,
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
    created_at: moment(created),
    scheduled_at: moment(created),
    runnable_at: timeOf(times.runnable),
    started_at: timeOf(times.started),
    finished_at: timeOf(times.finished),
  };
}

const timeOf = (at: number | undefined): string | null => (at === undefined ? null : moment(at));

/** The agent that ran the job, or holds it now. */
function agentOf({ run, started, finished }: Course, name: string, busy: string[]): string | null {
  if (run.step.type !== undefined || started === undefined) return null;
  if (finished === undefined) return busy.shift() ?? null;
  const [queue = 'default'] = (run.step.agent_query_rules ?? []).map((rule) => rule.replace('queue=', ''));
  if (queue === 'mac') return pick(name, ['mac-01', 'mac-02']);
  return queue === 'deploy' ? 'deploy-01' : pick(name, workers);
}

/** The same job with an execution before it that failed, and was retried. */
function withEarlier(job: Job, { earlier = 'manual' }: Course, name: string, created: number): Job[] {
  const id = idOf(`${name}/earlier`, created);
  const end = Date.parse(job.runnable_at ?? '');
  const started = end - between(name, 5, 25) * 1_000;
  const failed: Job = {
    ...job,
    id,
    state: 'failed',
    exit_status: earlier === 'automatic' ? -1 : 1,
    runnable_at: moment(end - retryDelay),
    started_at: moment(started),
    finished_at: moment(end),
    retried: true,
    retried_in_job_id: job.id as string,
    retry_type: earlier,
  };
  const next: Job = {
    ...job,
    created_at: moment(end),
    runnable_at: moment(end),
    retries_count: 1,
    retry_source: { job_id: id, retry_type: earlier },
  };
  return [failed, next];
}
