import {
  advanceBuild,
  type BuildAggregate,
  buildStates,
  cancelBuild,
  isCancelable,
  isSkippable,
  skipBuild,
} from '../machines/index.js';
import type { QueryRow, Row } from '../model/index.js';
import type { Batch } from '../ports/index.js';
import { merge, unchanged } from './batch.js';
import { branchAllowed } from './branch-filter.js';
import { changeBuild, freeAgents, holdingAgentIds, insertBuild } from './build-changes.js';
import type { DecideContext, OperationContext } from './command.js';
import { expandSteps, jobsOfSteps, type QueueIdsByKey, queueKeyOf } from './jobs-of-steps.js';

/** The fields of a new build that a client sets. */
export type BuildContent = Pick<
  Row<'build'>,
  'commit' | 'branch' | 'message' | 'env' | 'meta_data' | 'author' | 'pull_request' | 'clean_checkout' | 'rebuilt_from'
>;

/** The records that the creation of a build needs. */
export interface NewBuildRecords {
  readonly pipeline: Row<'pipeline'>;
  readonly number: number;
  readonly queues: QueuesByKey;
  /** The cluster, if one of the queues is its default queue. */
  readonly cluster: Row<'cluster'> | undefined;
  /** Older builds of the branch that the new build replaces, with the agents that run their jobs. */
  readonly olderBuilds: readonly QueryRow<'build.ofPipeline'>[];
  readonly agents: readonly Row<'agent'>[];
}

/** The largest number of older builds of the branch that a new build skips or cancels. */
const maxReplacedBuilds = 1_000;

export async function loadNewBuildRecords(
  pipeline: Row<'pipeline'>,
  branch: string,
  context: OperationContext,
): Promise<NewBuildRecords> {
  const [number, { queues, cluster }, olderBuilds] = await Promise.all([
    context.next(buildNumberSequence(pipeline.id)),
    loadQueues(pipeline, context),
    loadReplacedBuilds(pipeline, branch, context),
  ]);
  const holders = olderBuilds.flatMap((build) => holdingAgentIds(build.jobs));
  const agents = holders.length > 0 ? await context.reader.load('agent.inOrganization', holders) : [];
  return { pipeline, number, queues, cluster, olderBuilds, agents };
}

/** The sequence that build numbers of a pipeline come from (spec 2.4). */
export const buildNumberSequence = (pipelineId: string): string => `build.number/${pipelineId}`;

/** Queues by key. The cluster's default queue has the empty key. */
type QueuesByKey = ReadonlyMap<string, Row<'queue'>>;

async function loadQueues(
  pipeline: Row<'pipeline'>,
  { reader }: Pick<OperationContext, 'reader'>,
): Promise<Pick<NewBuildRecords, 'queues' | 'cluster'>> {
  const queues = new Map<string, Row<'queue'>>();
  let cluster: QueryRow<'cluster.byName'> | undefined;
  if (pipeline.cluster_id === null) return { queues, cluster };
  const clusterId = pipeline.cluster_id;
  const keys = new Set(pipeline.steps.map((step) => queueKeyOf(step.agent_query_rules)));
  await Promise.all(
    [...keys].map(async (key) => {
      if (key === '') [cluster] = await reader.load('cluster.byName', [clusterId]);
      const queue =
        key === '' ? cluster?.default_queue : (await reader.select('queue.byKey', { cluster: clusterId, key }, 1))[0];
      if (queue) queues.set(key, queue);
    }),
  );
  return { queues, cluster };
}

async function loadReplacedBuilds(pipeline: Row<'pipeline'>, branch: string, { reader }: OperationContext) {
  const states = replacedStates(pipeline, branch);
  if (states.length === 0) return [];
  return reader.select(
    'build.ofPipeline',
    { pipeline: pipeline.id, branch: [branch], state: states },
    maxReplacedBuilds,
  );
}

function replacedStates(pipeline: Row<'pipeline'>, branch: string): Row<'build'>['state'][] {
  const applies = (on: boolean, filter: string | null) => on && branchAllowed(filter, branch);
  const skips = applies(pipeline.skip_queued_branch_builds, pipeline.skip_queued_branch_builds_filter);
  const cancels = applies(pipeline.cancel_running_branch_builds, pipeline.cancel_running_branch_builds_filter);
  return buildStates.filter((state) => (isSkippable(state) ? skips : cancels && isCancelable(state)));
}

/** The number of ids that a new build needs: one for itself and one for each job. */
export const countBuildIds = ({ pipeline }: NewBuildRecords): number => 1 + expandSteps(pipeline.steps).length;

/** Creates a build with its jobs, and skips or cancels the older builds that it replaces (decisions 7). */
export function newBuild(
  loaded: NewBuildRecords,
  content: BuildContent,
  context: DecideContext,
): { batch: Batch; made: BuildAggregate } {
  const { pipeline, number, queues, cluster } = loaded;
  const { now, caller } = context;
  const [id = '', ...jobIds] = context.ids;
  const build: Row<'build'> = {
    id,
    version: 1,
    organization_id: pipeline.organization_id,
    pipeline_id: pipeline.id,
    number,
    state: 'scheduled',
    cancel_reason: null,
    source: 'api',
    creator_id: caller?.user.id ?? null,
    ...content,
    created_at: now,
    scheduled_at: now,
    started_at: null,
    finished_at: null,
  };
  const keys: QueueIdsByKey = new Map([...queues].map(([key, queue]) => [key, queue.id]));
  const made = advanceBuild({ build, jobs: jobsOfSteps({ pipeline, build, queues: keys }, jobIds, now) }, now);
  const ended = loaded.olderBuilds.map((older) => endReplacedBuild(older, number, context, loaded.agents));
  // Expects the queues unchanged: jobs of a queue that is deleted at the same time would wait for ever.
  const used = [...new Map([...queues.values()].map((queue) => [queue.id, queue])).values()];
  const expect = [
    ...(cluster ? [unchanged('cluster', cluster)] : []),
    ...used.map((queue) => unchanged('queue', queue)),
  ];
  return { batch: merge({ expect }, insertBuild(made, now), ...ended), made };
}

function endReplacedBuild(
  older: NewBuildRecords['olderBuilds'][number],
  number: number,
  context: DecideContext,
  agents: NewBuildRecords['agents'],
): Batch {
  const before: BuildAggregate = { build: older, jobs: older.jobs };
  const reason = `Canceled by the newer build #${number}`;
  const after = isSkippable(older.state)
    ? skipBuild(before, context.now)
    : cancelBuild(before, context.rules.cancellation, reason, context.now);
  const holders = agents.filter((agent) => older.jobs.some((job) => job.id === agent.job_id));
  return merge(changeBuild(before, after, context.now), freeAgents(holders, after.jobs, context.now));
}
