import { merge, unchanged } from '../../contract/batch.js';
import type { Given, Surroundings } from '../../contract/operation.js';
import { type Aggregate, cancelBuild, settle, skipBuild } from '../../machines/index.js';
import type { QueryRow, Row } from '../../model/index.js';
import type { Batch } from '../../ports/index.js';
import { changeBuild, freeAgents, holdersOf, insertBuild } from '../changes.js';
import { branchAllowed } from './branch-filter.js';
import { jobsOfSteps, type QueueKeys, queueKeyOf, runsOf } from './jobs-of-steps.js';

/** What a client chooses of a new build. */
export type BuildContent = Pick<
  Row<'build'>,
  'commit' | 'branch' | 'message' | 'env' | 'meta_data' | 'author' | 'pull_request' | 'clean_checkout' | 'rebuilt_from'
>;

/** What has to be known to make a build of a pipeline. */
export interface BuildSite {
  readonly pipeline: Row<'pipeline'>;
  readonly number: number;
  readonly queues: SiteQueues;
  /** The cluster, if one of the queues is its default queue. */
  readonly cluster: Row<'cluster'> | undefined;
  /** Older builds of the branch that the new one takes the place of, with the agents that work on them. */
  readonly older: readonly QueryRow<'build.ofPipeline'>[];
  readonly agents: readonly Row<'agent'>[];
}

/** More builds of one branch than this are not skipped or canceled by one newer build. */
const mostReplaced = 1_000;

export async function loadBuildSite(
  pipeline: Row<'pipeline'>,
  branch: string,
  about: Surroundings,
): Promise<BuildSite> {
  const [number, { queues, cluster }, older] = await Promise.all([
    about.next(numbersOf(pipeline.id)),
    queuesFor(pipeline, about),
    replacedBy(pipeline, branch, about),
  ]);
  const holders = older.flatMap((build) => holdersOf(build.jobs));
  const agents = holders.length > 0 ? await about.reader.load('agent.inOrganization', holders) : [];
  return { pipeline, number, queues, cluster, older, agents };
}

/** The sequence that build numbers of a pipeline come from (spec 2.4). */
export const numbersOf = (pipelineId: string): string => `build.number/${pipelineId}`;

/** Queues by key, and the cluster's default queue under the empty key. */
type SiteQueues = ReadonlyMap<string, Row<'queue'>>;

async function queuesFor(
  pipeline: Row<'pipeline'>,
  { reader }: Pick<Surroundings, 'reader'>,
): Promise<Pick<BuildSite, 'queues' | 'cluster'>> {
  const queues = new Map<string, Row<'queue'>>();
  let cluster: BuildSite['cluster'];
  if (pipeline.cluster_id === null) return { queues, cluster };
  const keys = new Set(pipeline.steps.map((step) => queueKeyOf(step.agent_query_rules)));
  for (const key of keys) {
    if (key === '') {
      [cluster] = await reader.load('cluster.byName', [pipeline.cluster_id]);
      const id = cluster?.default_queue_id;
      const [queue] = id ? await reader.load('queue.byKey', [id]) : [];
      if (queue) queues.set('', queue);
    } else {
      const [queue] = await reader.select('queue.byKey', { cluster: pipeline.cluster_id, key }, 1);
      if (queue) queues.set(key, queue);
    }
  }
  return { queues, cluster };
}

async function replacedBy(pipeline: Row<'pipeline'>, branch: string, { reader }: Surroundings) {
  const states = replacedStates(pipeline, branch);
  if (states.length === 0) return [];
  return reader.select('build.ofPipeline', { pipeline: pipeline.id, branch: [branch], state: states }, mostReplaced);
}

function replacedStates(pipeline: Row<'pipeline'>, branch: string): Row<'build'>['state'][] {
  const applies = (on: boolean, filter: string | null) => on && branchAllowed(filter, branch);
  const skips = applies(pipeline.skip_queued_branch_builds, pipeline.skip_queued_branch_builds_filter);
  const cancels = applies(pipeline.cancel_running_branch_builds, pipeline.cancel_running_branch_builds_filter);
  return [...(skips ? (['scheduled'] as const) : []), ...(cancels ? (['running', 'failing'] as const) : [])];
}

/** Fresh ids for a new build: its own, then one for each job. */
export const idsForBuild = ({ pipeline }: BuildSite): number => 1 + runsOf(pipeline.steps).length;

/** Makes a build with its jobs, and ends the older builds whose place it takes (decisions 7). */
export function newBuild(site: BuildSite, content: BuildContent, given: Given): { batch: Batch; made: Aggregate } {
  const { pipeline, number, queues, cluster } = site;
  const { now, caller } = given;
  const [id = '', ...jobIds] = given.ids;
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
  const keys: QueueKeys = new Map([...queues].map(([key, queue]) => [key, queue.id]));
  const made = settle({ build, jobs: jobsOfSteps({ pipeline, build, queues: keys }, jobIds, now) }, now);
  const ended = site.older.map((older) => endFor(older, number, given, site.agents));
  // A queue that is being deleted must not get new jobs meanwhile: they would wait on nothing for ever.
  const used = [...new Map([...queues.values()].map((queue) => [queue.id, queue])).values()];
  const expect = [
    ...(cluster ? [unchanged('cluster', cluster)] : []),
    ...used.map((queue) => unchanged('queue', queue)),
  ];
  return { batch: merge({ expect }, insertBuild(made, now), ...ended), made };
}

function endFor(older: BuildSite['older'][number], number: number, given: Given, agents: BuildSite['agents']): Batch {
  const before: Aggregate = { build: older, jobs: older.jobs };
  const reason = `Canceled by the newer build #${number}`;
  const after =
    older.state === 'scheduled'
      ? skipBuild(before, given.now)
      : cancelBuild(before, given.rules.cancellation, reason, given.now);
  const holders = agents.filter((agent) => older.jobs.some((job) => job.id === agent.job_id));
  return merge(changeBuild(before, after, given.now), freeAgents(holders, after.jobs, given.now));
}
