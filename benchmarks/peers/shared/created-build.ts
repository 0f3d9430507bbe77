import type { Step } from '../../../core/model/index.js';
import type { CachedPipeline, Caller } from './lookups.js';
import { renderBuild } from './render.js';
import type { NewBuild } from './service.js';

export interface BuildCreation {
  readonly id: string;
  /** An id for the job of each step. */
  readonly jobs: readonly string[];
  readonly pipeline: CachedPipeline;
  readonly input: NewBuild;
  readonly caller: Caller;
  readonly queue: string;
  readonly now: string;
}

/** The rows of a new build without its number, which the database assigns when it stores them. */
export function createdRows({ id, jobs, pipeline, input, caller, queue, now }: BuildCreation, number: number) {
  const steps = JSON.parse(String(pipeline.row.steps)) as readonly Step[];
  const common = { organization_id: pipeline.organizationId, pipeline_id: pipeline.id, version: 1 };
  const build = {
    ...common,
    id,
    number,
    state: 'scheduled',
    cancel_reason: null,
    message: input.message,
    commit: input.commit,
    branch: input.branch,
    env: JSON.stringify(input.env),
    source: 'api',
    creator_id: caller.user.id,
    author: JSON.stringify(input.author),
    meta_data: JSON.stringify(input.meta_data),
    pull_request: null,
    rebuilt_from: null,
    clean_checkout: false,
    created_at: now,
    scheduled_at: now,
    started_at: null,
    finished_at: null,
  };
  const jobRows = steps.map((step, position) => ({
    ...common,
    id: jobs[position],
    build_id: id,
    build_number: number,
    pipeline_slug: pipeline.row.slug,
    position,
    type: step.type,
    name: step.name,
    step_key: step.key,
    step_id: step.id,
    signature: JSON.stringify(step.signature),
    agent_query_rules: JSON.stringify(step.agent_query_rules),
    state: 'scheduled',
    script_path: step.script_path,
    command: step.command,
    artifact_paths: step.artifact_paths,
    soft_fail: JSON.stringify(step.soft_fail),
    soft_failed: false,
    automatic_retry: JSON.stringify(step.automatic_retry),
    continue_on_failure: step.continue_on_failure,
    timeout_in_minutes: step.timeout_in_minutes,
    exit_status: null,
    agent_id: null,
    agent: null,
    cluster_id: pipeline.row.cluster_id,
    cluster_queue_id: queue,
    parallel_group_index: null,
    parallel_group_total: null,
    matrix: null,
    retried: false,
    retried_in_job_id: null,
    retries_count: null,
    retry_type: null,
    retry_source: null,
    created_at: now,
    scheduled_at: now,
    runnable_at: now,
    started_at: null,
    finished_at: null,
  }));
  return { build, jobs: jobRows };
}

/** The response to the creation of a build, as JSON. */
export function renderCreatedBuild(creation: BuildCreation, number: number): string {
  const { build, jobs } = createdRows(creation, number);
  const { pipeline, caller } = creation;
  const { organization, rendered } = pipeline;
  const slug = String(pipeline.row.slug);
  return JSON.stringify(renderBuild(build, { organization, slug, jobs, creator: caller.user, pipeline: rendered }));
}

/** The events of a new or changed build: one for the build and one for each of its jobs. */
export function buildEventRows(
  build: Readonly<Record<string, unknown>>,
  jobs: readonly Readonly<Record<string, unknown>>[],
  at: string,
) {
  const { organization_id } = build;
  const { number, pipeline_id, state, branch, commit } = build;
  return [
    {
      type: `build.${state}`,
      organization_id,
      at,
      data: JSON.stringify({ build_id: build.id, number: Number(number), pipeline_id, state, branch, commit }),
    },
    ...jobs.map((job) => ({
      type: `job.${job.state}`,
      organization_id,
      at,
      data: JSON.stringify({
        job_id: job.id,
        build_id: build.id,
        type: job.type,
        state: job.state,
        agent_id: job.agent_id,
      }),
    })),
  ];
}
