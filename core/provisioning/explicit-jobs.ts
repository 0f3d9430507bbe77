import { jobsOfSteps, type QueueIdsByKey, queueKeyOf } from '../commands/jobs-of-steps.js';
import type { JobState } from '../machines/index.js';
import type { JobType, Row, Step } from '../model/index.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';
import { joinPath } from './problems.js';
import { jobTimes } from './times.js';

type Job = Row<'job'>;
export type JobRecord = NonNullable<FixtureRecord<'builds'>['jobs']>[number];

/** The records that the jobs of a build are created from. */
export interface BuildJobSource {
  readonly pipeline: Row<'pipeline'>;
  readonly build: Row<'build'>;
  readonly queues: QueueIdsByKey;
}

/** The jobs that a document lists. Fields that it leaves out are taken from the job's step, if it has one. */
export function explicitJobs(
  records: readonly JobRecord[],
  jobSource: BuildJobSource,
  path: string,
  draft: PlanDraft,
): Job[] {
  const paths = records.map((_, index) => joinPath(`${path}.jobs`, index));
  const pathOf = (index: number) => paths[index] as string;
  const ids = records.map((record, index) => draft.idFor('job', record.id, pathOf(index)));
  const before = predecessors(records, ids, pathOf, draft);
  const runs = jobsOfSteps(jobSource, [], jobSource.build.created_at);
  const used = new Set<number>();
  const made: Job[] = [];
  let positions = 0;
  for (const [index, record] of records.entries()) {
    const earlier = before.get(index);
    const repeated = earlier === undefined ? undefined : made[earlier];
    const position = repeated?.position ?? positions++;
    const template = repeated ?? matchStepRun(record, position, runs, used) ?? jobWithoutStep(record, jobSource, draft);
    made.push(
      explicitJob(
        { ...template, id: ids[index] as string, position },
        record,
        repeated,
        jobSource,
        pathOf(index),
        draft,
      ),
    );
  }
  return made;
}

/** Which execution each job repeats, by index in the list: a later execution of the same run repeats the earlier one. */
function predecessors(
  records: readonly JobRecord[],
  ids: readonly string[],
  pathOf: (index: number) => string,
  draft: PlanDraft,
): ReadonlyMap<number, number> {
  const links = records.some((record) => record.retried_in_job_id ?? record.retry_source);
  const before = new Map<number, number>();
  if (!links) return before;
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const note = (next: number, earlier: number) => {
    if (earlier < next) before.set(next, earlier);
  };
  for (const [index, record] of records.entries()) {
    for (const [field, id] of [
      ['retried_in_job_id', record.retried_in_job_id],
      ['retry_source.job_id', record.retry_source?.job_id],
    ] as const) {
      if (id == null) continue;
      const other = indexOf.get(id);
      if (other === undefined || other === index) {
        draft.problems.add(`${pathOf(index)}.${field}: there is no other job ${id} in the build`);
      } else if (field === 'retried_in_job_id') note(other, index);
      else note(index, other);
    }
  }
  return before;
}

/** The run of a step that a job executes: found by the step's key and the parallel index, otherwise by position. */
function matchStepRun(record: JobRecord, position: number, runs: readonly Job[], used: Set<number>): Job | undefined {
  const fits = (run: Job, index: number): boolean => {
    if (used.has(index) || (record.type !== undefined && record.type !== run.type)) return false;
    if (record.step_key == null) return index === position;
    const parallel = record.parallel_group_index;
    return run.step_key === record.step_key && (parallel === undefined || run.parallel_group_index === parallel);
  };
  const found = runs.findIndex(fits);
  if (found >= 0) used.add(found);
  return runs[found];
}

/** A job without a step in the pipeline. */
function jobWithoutStep(record: JobRecord, jobSource: BuildJobSource, draft: PlanDraft): Job {
  const step: Step = { ...emptyStep, id: draft.idSource.id(), type: record.type ?? 'script' };
  const [job] = jobsOfSteps(
    { ...jobSource, pipeline: { ...jobSource.pipeline, steps: [step] } },
    [],
    jobSource.build.created_at,
  );
  return job as Job;
}

const emptyStep: Omit<Step, 'id'> = {
  type: 'script',
  key: null,
  name: null,
  command: null,
  script_path: null,
  artifact_paths: null,
  agent_query_rules: [],
  parallelism: null,
  matrix: null,
  soft_fail: false,
  automatic_retry: [],
  timeout_in_minutes: null,
  continue_on_failure: false,
  branches: null,
  signature: null,
};

function explicitJob(
  template: Job,
  record: JobRecord,
  repeated: Job | undefined,
  jobSource: BuildJobSource,
  path: string,
  draft: PlanDraft,
): Job {
  const { state } = record;
  const { type } = template;
  const rules = record.agent_query_rules ?? template.agent_query_rules;
  const exit_status = record.exit_status === undefined ? defaultExitStatus(state, type) : record.exit_status;
  return {
    ...template,
    ...copyFields(record, template),
    type,
    state,
    agent_query_rules: rules,
    agent_id: null,
    agent: null,
    exit_status,
    soft_failed: record.soft_failed ?? (state === 'failed' && isSoftFailure(template, exit_status)),
    cluster_queue_id: queueIdOf(record, rules, type, jobSource, path, draft),
    step_id: record.step?.id ?? template.step_id,
    signature: record.step?.signature === undefined ? template.signature : record.step.signature,
    ...retryFields(record, repeated),
    ...jobTimes(record, { state, type }, jobSource.build, repeated),
  };
}

/** Fields that are copied from the document. */
const copiedFields = [
  'name',
  'step_key',
  'command',
  'script_path',
  'artifact_paths',
  'parallel_group_index',
  'parallel_group_total',
  'matrix',
] as const;

const copyFields = (record: JobRecord, template: Job): Pick<Job, (typeof copiedFields)[number]> =>
  Object.fromEntries(
    copiedFields.map((field) => [field, record[field] === undefined ? template[field] : record[field]]),
  ) as Pick<Job, (typeof copiedFields)[number]>;

/** The fields about retries: by which job it was retried, and which job it repeats (decisions 6). */
function retryFields(record: JobRecord, repeated: Job | undefined) {
  const retriedInJobId = record.retried_in_job_id ?? null;
  const source = repeated ? { job_id: repeated.id, retry_type: repeated.retry_type ?? ('manual' as const) } : null;
  return {
    retried: record.retried ?? retriedInJobId !== null,
    retried_in_job_id: retriedInJobId,
    retry_type:
      record.retry_type === undefined ? (retriedInJobId === null ? null : ('manual' as const)) : record.retry_type,
    retries_count:
      record.retries_count === undefined ? (repeated ? (repeated.retries_count ?? 0) + 1 : null) : record.retries_count,
    retry_source: record.retry_source === undefined ? source : record.retry_source,
  };
}

function defaultExitStatus(state: JobState, type: JobType): number | null {
  if (type !== 'script' && type !== 'trigger') return null;
  return state === 'passed' ? 0 : state === 'failed' ? 1 : null;
}

const isSoftFailure = ({ soft_fail }: Job, status: number | null): boolean =>
  typeof soft_fail === 'boolean' ? soft_fail : status !== null && soft_fail.includes(status);

function queueIdOf(
  record: JobRecord,
  rules: readonly string[],
  type: JobType,
  { pipeline, queues }: BuildJobSource,
  path: string,
  draft: PlanDraft,
): string | null {
  if (record.cluster_queue === null) return null;
  if (record.cluster_queue === undefined) return type === 'script' ? (queues.get(queueKeyOf(rules)) ?? null) : null;
  if (pipeline.cluster_id === null) {
    draft.problems.add(`${path}.cluster_queue: the pipeline "${pipeline.slug}" is in no cluster`);
    return null;
  }
  return draft.referenceIndex.queue(pipeline.cluster_id, record.cluster_queue, `${path}.cluster_queue`)?.id ?? null;
}
