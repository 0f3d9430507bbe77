import { accessTokenPrefix, agentTokenPrefix } from '../auth/token-format.js';
import { insert, merge, reference, replace } from '../commands/batch.js';
import type { Row, Timestamp } from '../model/index.js';
import type { Batch, Insert } from '../ports/index.js';
import { planAgent } from './agents.js';
import { assignBuildNumbers, type FirstBuildNumbers } from './build-numbers.js';
import { BuildPlanner, type PlannedBuild } from './builds.js';
import { collectDefaultQueues, planAgentToken, planCluster, planQueue } from './clusters.js';
import type { ExistingRecords } from './existing-records.js';
import { type Fixture, type FixtureRecord, type Section, sections } from './fixture-schema.js';
import { planAccessToken, planOrganization, planUser } from './organizations.js';
import { planPipeline } from './pipelines.js';
import { type IdSource, PlanDraft } from './plan-draft.js';
import { joinPath, Problems } from './problems.js';
import { ReferenceIndex } from './reference-index.js';
import { planSuite, planTeam } from './teams.js';
import { makeTokenTexts } from './token-texts.js';

/** The records created from a fixture, in its order. Only this has the texts of the tokens. */
export interface LoadedFixture {
  readonly organizations: readonly { readonly id: string; readonly slug: string }[];
  readonly users: readonly { readonly id: string; readonly email: string }[];
  readonly access_tokens: readonly { readonly id: string; readonly user: string; readonly token: string }[];
  readonly clusters: readonly { readonly id: string; readonly name: string }[];
  readonly queues: readonly { readonly id: string; readonly cluster: string; readonly key: string }[];
  readonly agent_tokens: readonly { readonly id: string; readonly cluster: string; readonly token: string }[];
  readonly pipelines: readonly { readonly id: string; readonly slug: string }[];
  readonly suites: readonly { readonly id: string; readonly slug: string }[];
  readonly teams: readonly { readonly id: string; readonly slug: string }[];
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly builds: readonly { readonly id: string; readonly pipeline: string; readonly number: number }[];
}

/** The records of a document, except for new build numbers, which are reserved only for a document without problems. */
export interface Plan {
  readonly batch: Batch;
  readonly builds: readonly PlannedBuild[];
  readonly reply: Omit<LoadedFixture, 'builds'>;
}

/** The number of records in a document. */
export const countRecords = (document: Fixture): number =>
  sections.reduce((size, section) => size + (document[section]?.length ?? 0), 0);

/**
 * Plans the records of a document. A pure function of its arguments, except for the callback `onRecordPlanned`. It returns the
 * problems if there are any.
 */
export function planFixture(
  document: Fixture,
  existing: ExistingRecords,
  now: Timestamp,
  idSource: IdSource,
  onRecordPlanned: () => void = () => {},
): Plan | Problems {
  const problems = new Problems();
  const referenceIndex = new ReferenceIndex(existing, problems);
  const draft = new PlanDraft(now, idSource, referenceIndex, problems, existing);
  const planEach = <K extends Section, T>(
    section: K,
    plan: (record: FixtureRecord<K>, path: string, index: number) => T,
  ): T[] =>
    ((document[section] ?? []) as readonly FixtureRecord<K>[]).map((record, index) => {
      const planned = plan(record, joinPath(section, index), index);
      onRecordPlanned();
      return planned;
    });

  const organizations = planEach('organizations', (record, path) => planOrganization(record, path, draft));
  const users = planEach('users', (record, path) => planUser(record, path, draft));
  const accessText = makeTokenTexts(accessTokenPrefix, draft, existing);
  const access_tokens = planEach('access_tokens', (record, path) => planAccessToken(record, path, draft, accessText));
  const clusters = planEach('clusters', (record, path) => ({ record, path, row: planCluster(record, path, draft) }));
  const queues = planEach('queues', (record, path) => ({ record, path, row: planQueue(record, path, draft) }));
  const defaults = collectDefaultQueues(clusters, queues, draft);
  const agentText = makeTokenTexts(agentTokenPrefix, draft, existing);
  const agentTokens = planEach('agent_tokens', (record, path) => planAgentToken(record, path, draft, agentText));
  const firstTokens = new Map(agentTokens.toReversed().map(({ id, cluster_id }) => [cluster_id, id]));
  const pipelines = planEach('pipelines', (record, path) => planPipeline(record, path, draft));
  const suites = planEach('suites', (record, path) => planSuite(record, path, draft));
  const teams = planEach('teams', (record, path) => planTeam(record, path, draft));
  const agents = planEach('agents', (record, path) => planAgent(record, path, draft, firstTokens));
  const builds = new BuildPlanner(document.builds ?? [], draft, existing);
  planEach('builds', (record, _path, index) => builds.plan(record, index));
  if (problems.exist) return problems;

  const newIds = new Set([...clusters.map(({ row }) => row.id), ...agents.map(({ id }) => id)]);
  const withDefault = (row: Row<'cluster'>) => ({ ...row, default_queue_id: defaults.get(row.id)?.queueId ?? null });
  const withJob = (row: Row<'agent'>) => ({ ...row, job_id: builds.busyAgents.get(row.id)?.jobId ?? null });
  return {
    batch: merge(draft.defaultMembers.changes, {
      expect: referenceIndex.usedVersions,
      insert: [
        ...draft.inserts,
        ...clusters.map(({ row }) => insert('cluster', withDefault(row))),
        ...agents.map((row) => insert('agent', withJob(row))),
      ],
      touch: referenceIndex.usedClusterVersions
        .filter(({ id }) => !defaults.has(id))
        .map((cluster) => reference('cluster', cluster)),
      replace: [
        ...[...defaults.values()].flatMap(({ cluster, queueId }) =>
          newIds.has(cluster.id) ? [] : [replace('cluster', cluster, { default_queue_id: queueId })],
        ),
        ...[...builds.busyAgents.values()].flatMap(({ agent, jobId }) =>
          newIds.has(agent.id) ? [] : [replace('agent', agent, { job_id: jobId })],
        ),
      ],
    }),
    builds: builds.planned,
    reply: {
      organizations,
      users,
      access_tokens,
      clusters: clusters.map(({ row: { id, name } }) => ({ id, name })),
      queues: queues.map(({ record: { cluster, key }, row: { id } }) => ({ id, cluster, key })),
      agent_tokens: agentTokens.map(({ id, cluster, token }) => ({ id, cluster, token })),
      pipelines: pipelines.map(({ id, slug }) => ({ id, slug })),
      suites,
      teams,
      agents: agents.map(({ id, name }) => ({ id, name })),
    },
  };
}

/** The batch of a plan whose builds have numbers. It has no events, because the records of a fixture describe the past. */
export function decideLoad(
  plan: Plan,
  firstNumbers: FirstBuildNumbers,
): { readonly batch: Batch; readonly reply: LoadedFixture } {
  const builds = assignBuildNumbers(plan.builds, firstNumbers);
  return {
    batch: merge(plan.batch, {
      insert: builds.flatMap(({ build, jobs }): Insert[] => [
        { entity: 'build', row: build },
        ...jobs.map((row): Insert => ({ entity: 'job', row })),
      ]),
    }),
    reply: {
      ...plan.reply,
      builds: builds.map(({ build: { id, number }, pipeline }) => ({ id, pipeline, number })),
    },
  };
}
