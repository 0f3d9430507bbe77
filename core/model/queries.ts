import type { EntityName } from './entities.js';
import {
  type ArgsOf,
  type CounterColumnOf,
  type Definition,
  query,
  type RelatedRow,
  type ScopeArgsOf,
} from './query.js';

/** Filters of spec 4.2 that every list of builds shares. */
const buildFilters = {
  branch: { anyOf: 'branch' },
  commit: { anyOf: 'commit' },
  state: { anyOf: 'state' },
  creator: { eq: 'creator_id' },
  created_from: { gte: 'created_at' },
  created_to: { lt: 'created_at' },
  finished_from: { gte: 'finished_at' },
  meta_data: { entries: 'meta_data' },
} as const;

/**
 * The relations that a build is rendered with (spec 2.4). Its creator, pipeline and organization are not among them: many
 * builds share them, so they are looked up once for the whole page.
 */
const buildRelations = {
  many: {
    jobs: {
      from: 'job',
      by: 'build_id',
      order: [
        ['position', 'asc'],
        ['created_at', 'asc'],
        ['id', 'asc'],
      ],
    },
  },
} as const;

const newestFirst = [
  ['created_at', 'desc'],
  ['id', 'desc'],
] as const;

const oldestFirst = [
  ['created_at', 'asc'],
  ['id', 'asc'],
] as const;

/** All queries of the core. A storage that implements these supports all operations. */
export const queries = {
  'organization.bySlug': query('organization', { scope: { slug: { eq: 'slug' } }, order: [['id', 'asc']] }),

  'user.byEmail': query('user', { scope: { email: { eq: 'email' } }, order: [['id', 'asc']] }),

  'member.byUser': query('member', {
    scope: { organization: { eq: 'organization_id' }, user: { eq: 'user_id' } },
    order: [['id', 'asc']],
  }),

  'accessToken.byDigest': query('accessToken', {
    scope: { digest: { eq: 'digest' } },
    order: [['id', 'asc']],
    one: { user: { to: 'user', by: 'user_id' } },
    many: { memberships: { from: 'member', by: 'user_id', on: 'user_id', order: [['id', 'asc']] } },
  }),

  'cluster.inOrganization': query('cluster', {
    scope: { organization: { eq: 'organization_id' } },
    filters: { name: { eq: 'name' } },
    order: oldestFirst,
    one: { created_by: { to: 'user', by: 'created_by_id' } },
  }),

  'cluster.byName': query('cluster', {
    scope: { organization: { eq: 'organization_id' }, name: { eq: 'name' } },
    order: [['id', 'asc']],
    one: { default_queue: { to: 'queue', by: 'default_queue_id' } },
  }),

  'queue.byKey': query('queue', {
    scope: { cluster: { eq: 'cluster_id' }, key: { eq: 'key' } },
    order: [['id', 'asc']],
  }),

  'queue.inCluster': query('queue', {
    scope: { cluster: { eq: 'cluster_id' } },
    filters: { key: { eq: 'key' } },
    order: oldestFirst,
    one: {
      created_by: { to: 'user', by: 'created_by_id' },
      dispatch_paused_by: { to: 'user', by: 'dispatch_paused_by_id' },
    },
  }),

  'agentToken.inCluster': query('agentToken', {
    scope: { cluster: { eq: 'cluster_id' } },
    order: oldestFirst,
    one: { created_by: { to: 'user', by: 'created_by_id' } },
  }),

  'agentToken.byDigest': query('agentToken', {
    scope: { digest: { eq: 'digest' } },
    order: [['id', 'asc']],
    one: { cluster: { to: 'cluster', by: 'cluster_id' }, organization: { to: 'organization', by: 'organization_id' } },
  }),

  'agent.inOrganization': query('agent', {
    scope: { organization: { eq: 'organization_id' } },
    filters: {
      connection_state: { eq: 'connection_state' },
      name: { eq: 'name' },
      hostname: { eq: 'hostname' },
      version: { eq: 'agent_version' },
    },
    indexed: ['connection_state'],
    order: newestFirst,
    one: {
      creator: { to: 'user', by: 'creator_id' },
      job: { to: 'job', by: 'job_id' },
      organization: { to: 'organization', by: 'organization_id' },
    },
  }),

  'agent.inCluster': query('agent', {
    scope: { cluster: { eq: 'cluster_id' }, connection_state: { anyOf: 'connection_state' } },
    order: [['id', 'asc']],
  }),

  /** Agents that named the queue when they connected. */
  'agent.onQueue': query('agent', {
    scope: { queue: { eq: 'queue_id' }, connection_state: { anyOf: 'connection_state' } },
    order: [['id', 'asc']],
  }),

  /** Agents whose last heartbeat is too old (decisions 5). */
  'agent.silent': query('agent', {
    scope: { connection_state: { eq: 'connection_state' } },
    filters: { seen_before: { lt: 'last_seen_at' } },
    order: [
      ['last_seen_at', 'asc'],
      ['id', 'asc'],
    ],
  }),

  'pipeline.bySlug': query('pipeline', {
    scope: { organization: { eq: 'organization_id' }, slug: { eq: 'slug' } },
    order: [['id', 'asc']],
  }),

  'pipeline.inCluster': query('pipeline', { scope: { cluster: { eq: 'cluster_id' } }, order: [['id', 'asc']] }),

  'build.byNumber': query('build', {
    scope: { pipeline: { eq: 'pipeline_id' }, number: { eq: 'number' } },
    order: [['id', 'asc']],
    ...buildRelations,
  }),

  'build.ofPipeline': query('build', {
    scope: { pipeline: { eq: 'pipeline_id' } },
    filters: buildFilters,
    indexed: ['commit', 'creator', 'branch', 'state'],
    order: newestFirst,
    counters: [{ by: 'state' }, { byDay: 'created_at' }],
    ...buildRelations,
  }),

  'build.ofOrganizations': query('build', {
    scope: { organizations: { anyOf: 'organization_id' } },
    filters: buildFilters,
    indexed: ['commit', 'creator', 'branch', 'state'],
    order: newestFirst,
    counters: [{ byDay: 'created_at' }],
    ...buildRelations,
  }),

  'job.ofPipeline': query('job', {
    scope: { pipeline: { eq: 'pipeline_id' }, state: { anyOf: 'state' } },
    order: [['id', 'asc']],
    counters: [{ by: 'state' }],
  }),

  /** Jobs of a queue. The job that has waited longest is first. */
  'job.inQueue': query('job', {
    scope: { queue: { eq: 'cluster_queue_id' }, state: { anyOf: 'state' } },
    order: [
      ['runnable_at', 'asc'],
      ['id', 'asc'],
    ],
  }),

  /** Running jobs that may have exceeded their timeout. */
  'job.startedBefore': query('job', {
    scope: { state: { eq: 'state' } },
    filters: { started_before: { lt: 'started_at' } },
    order: [
      ['started_at', 'asc'],
      ['id', 'asc'],
    ],
  }),

  'team.inOrganization': query('team', {
    scope: { organization: { eq: 'organization_id' } },
    filters: {
      slug: { eq: 'slug' },
      audience: { anyOf: 'audience' },
      ids: { anyOf: 'id' },
      default: { eq: 'is_default_team' },
    },
    order: oldestFirst,
    one: { created_by: { to: 'user', by: 'created_by_id' } },
  }),

  'teamMember.ofUser': query('teamMember', {
    scope: { organization: { eq: 'organization_id' }, user: { eq: 'user_id' } },
    filters: { team: { eq: 'team_id' } },
    order: [['id', 'asc']],
  }),

  'teamMember.ofTeam': query('teamMember', { scope: { team: { eq: 'team_id' } }, order: [['id', 'asc']] }),

  'teamPipeline.ofTeams': query('teamPipeline', {
    scope: { teams: { anyOf: 'team_id' } },
    filters: { access_level: { eq: 'access_level' }, pipeline: { eq: 'pipeline_id' } },
    order: oldestFirst,
    one: { pipeline: { to: 'pipeline', by: 'pipeline_id' } },
  }),

  'teamSuite.ofTeam': query('teamSuite', {
    scope: { team: { eq: 'team_id' } },
    filters: { suite: { eq: 'suite_id' } },
    order: oldestFirst,
    one: { suite: { to: 'suite', by: 'suite_id' } },
  }),

  'suite.bySlug': query('suite', {
    scope: { organization: { eq: 'organization_id' }, slug: { eq: 'slug' } },
    order: [['id', 'asc']],
  }),

  /** Flaky tests. The test with the latest occurrence is first (decisions 12). */
  'test.flaky': query('test', {
    scope: { suite: { eq: 'suite_id' }, flaky: { eq: 'flaky' } },
    filters: {
      ids: { anyOf: 'id' },
      named: { contains: ['name', 'scope'] },
      named_or_located: { contains: ['name', 'scope', 'location'] },
    },
    order: [
      ['latest_occurrence_at', 'desc'],
      ['id', 'desc'],
    ],
  }),

  'test.byIdentity': query('test', {
    scope: { suite: { eq: 'suite_id' }, identity: { anyOf: 'identity' } },
    order: [['id', 'asc']],
  }),

  'testCommit.ofTests': query('testCommit', {
    scope: { tests: { anyOf: 'test_id' }, commit: { eq: 'commit' } },
    order: [['id', 'asc']],
  }),

  /** The latest occurrences of a test come first. */
  'testCommit.occurrences': query('testCommit', {
    scope: { test: { eq: 'test_id' } },
    order: [
      ['flaky_at', 'desc'],
      ['id', 'desc'],
    ],
  }),

  'testBranch.ofTests': query('testBranch', {
    scope: { tests: { anyOf: 'test_id' }, branch: { eq: 'branch' } },
    order: [['id', 'asc']],
  }),

  'testBranch.inSuite': query('testBranch', {
    scope: { suite: { eq: 'suite_id' }, branch: { eq: 'branch' } },
    order: [['id', 'asc']],
  }),
};

export type Queries = typeof queries;
export type QueryName = keyof Queries;
export const queryNames = Object.keys(queries) as QueryName[];

export type QueryArgs<Q extends QueryName> = ArgsOf<Queries[Q]>;
export type QueryRow<Q extends QueryName> = RelatedRow<Queries[Q]>;
export type EntityOf<Q extends QueryName> = Queries[Q]['entity'];

/** The queries that `count` accepts, its arguments, and the columns by whose values it counts. */
export type CountedQueryName = { [Q in QueryName]: CounterColumnOf<Queries[Q]> extends never ? never : Q }[QueryName];
export type ScopeArgs<Q extends QueryName> = ScopeArgsOf<Queries[Q]>;
export type CounterColumn<Q extends QueryName> = CounterColumnOf<Queries[Q]>;

/** The declaration of a query as plain data, which storages compile. */
export const queryDefinition = (name: QueryName): Definition & { readonly entity: EntityName } =>
  queries[name] as never;
