import type { Row, Step, Timestamp } from '../model/index.js';
import { branchAllowed } from './branch-filter.js';

/** The records that the jobs of a new build are created from. */
export interface JobSource {
  readonly pipeline: Row<'pipeline'>;
  readonly build: Pick<Row<'build'>, 'id' | 'number' | 'branch'>;
  readonly queues: QueueIdsByKey;
}

/** Queue ids by key. The cluster's default queue has the empty key. */
export type QueueIdsByKey = ReadonlyMap<string, string>;

/** One run of a step: a step with parallelism or a matrix has several. */
interface StepRun {
  readonly step: Step;
  readonly index: number | null;
  readonly total: number | null;
  readonly matrix: Readonly<Record<string, string>> | null;
}

export function expandSteps(steps: readonly Step[]): StepRun[] {
  return steps.flatMap((step) =>
    combinations(step.matrix).flatMap((matrix): StepRun[] =>
      step.parallelism === null
        ? [{ step, index: null, total: null, matrix }]
        : Array.from({ length: step.parallelism }, (_, index) => ({ step, index, total: step.parallelism, matrix })),
    ),
  );
}

/** All combinations of one value for each dimension. A single null without a matrix. */
function combinations(matrix: Step['matrix']): (Readonly<Record<string, string>> | null)[] {
  if (matrix === null) return [null];
  return Object.entries(matrix).reduce<Readonly<Record<string, string>>[]>(
    (rows, [dimension, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [dimension]: value }))),
    [{}],
  );
}

/** The queue key in the rules, or `''` if they have none. */
export const queueKeyOf = (rules: readonly string[]): string =>
  rules.find((rule) => rule.startsWith('queue='))?.slice('queue='.length) ?? '';

/** The jobs of a new build, all `pending` except those whose step excludes the branch. `ids` has one for each job. */
export function jobsOfSteps(source: JobSource, ids: readonly string[], now: Timestamp): Row<'job'>[] {
  const { pipeline, build, queues } = source;
  return expandSteps(pipeline.steps).map(({ step, index, total, matrix }, position): Row<'job'> => {
    const skipped = step.branches !== null && !branchAllowed(step.branches, build.branch);
    const needsAgent = step.type === 'script';
    return {
      id: ids[position] as string,
      version: 1,
      organization_id: pipeline.organization_id,
      pipeline_id: pipeline.id,
      build_id: build.id,
      build_number: build.number,
      pipeline_slug: pipeline.slug,
      position,
      type: step.type,
      name: step.name,
      step_key: step.key,
      step_id: step.id,
      signature: step.signature,
      agent_query_rules: step.agent_query_rules,
      state: skipped ? 'skipped' : 'pending',
      script_path: step.script_path,
      command: step.command,
      artifact_paths: step.artifact_paths,
      soft_fail: step.soft_fail,
      soft_failed: false,
      automatic_retry: step.automatic_retry,
      continue_on_failure: step.continue_on_failure,
      timeout_in_minutes: step.timeout_in_minutes,
      exit_status: null,
      agent_id: null,
      agent: null,
      cluster_id: needsAgent ? pipeline.cluster_id : null,
      cluster_queue_id: needsAgent ? (queues.get(queueKeyOf(step.agent_query_rules)) ?? null) : null,
      parallel_group_index: index,
      parallel_group_total: total,
      matrix,
      retried: false,
      retried_in_job_id: null,
      retries_count: null,
      retry_type: null,
      retry_source: null,
      created_at: now,
      scheduled_at: now,
      runnable_at: null,
      started_at: null,
      finished_at: skipped ? now : null,
    };
  });
}
