import { accessTokenPrefix, agentTokenPrefix, digestOf, isWellFormed } from '../auth/token-format.js';
import { type EntityName, slugOf } from '../model/index.js';
import { type Fixture, type Section, sections } from './fixture-schema.js';

/** The names in a document, both of its own records and of those that it refers to. */
export interface References {
  readonly organizations: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  /** Slugs of the organizations that users become members of. */
  readonly joinedOrganizations: ReadonlySet<string>;
  /** Emails of users, with the slugs of the organizations that their tokens are limited to. */
  readonly tokenLimits: readonly { readonly user: string; readonly organization: string }[];
  /** Names, by the slug of their organization. */
  readonly clusters: GroupedNames;
  readonly pipelines: GroupedNames;
  readonly suites: GroupedNames;
  readonly teams: GroupedNames;
  /** Names and ids. */
  readonly agents: GroupedNames;
  /** The ids that the document sets. */
  readonly ids: ReadonlyMap<EntityName, ReadonlySet<string>>;
  readonly digests: { readonly accessToken: ReadonlySet<string>; readonly agentToken: ReadonlySet<string> };
  /** Numbers of builds that the document sets, and numbers in `rebuilt_from`, by organization and pipeline as `org/pipeline`. */
  readonly numbers: { readonly given: GroupedNames<number>; readonly rebuilt: GroupedNames<number> };
}

export type GroupedNames<T = string> = ReadonlyMap<string, ReadonlySet<T>>;

class NameGroups<T = string> extends Map<string, Set<T>> {
  add(group: string, name: T): void {
    const names = this.get(group);
    if (names) names.add(name);
    else this.set(group, new Set([name]));
  }
}

const entityOf: Readonly<Record<Section, EntityName>> = {
  organizations: 'organization',
  users: 'user',
  access_tokens: 'accessToken',
  clusters: 'cluster',
  queues: 'queue',
  agent_tokens: 'agentToken',
  pipelines: 'pipeline',
  suites: 'suite',
  teams: 'team',
  agents: 'agent',
  builds: 'build',
};

/** Collects all names in a document, which are then looked up in the storage. */
export function collectReferences(document: Fixture): References {
  const organizations = new Set<string>();
  const users = new Set<string>();
  const [clusters, pipelines, suites, teams, agents] = [1, 2, 3, 4, 5].map(() => new NameGroups()) as [
    NameGroups,
    NameGroups,
    NameGroups,
    NameGroups,
    NameGroups,
  ];
  const given = new NameGroups<number>();
  const rebuilt = new NameGroups<number>();
  const joinedOrganizations = new Set<string>();
  const tokenLimits: { user: string; organization: string }[] = [];
  const ids = new Map<EntityName, Set<string>>();
  const addId = (entity: EntityName, id: string | undefined) => {
    if (id === undefined) return;
    const known = ids.get(entity);
    if (known) known.add(id);
    else ids.set(entity, new Set([id]));
  };
  const addUser = (email: string | null | undefined) => {
    if (email != null) users.add(email);
  };

  for (const section of sections) {
    for (const record of document[section] ?? []) {
      addId(entityOf[section], record.id);
      if ('organization' in record) organizations.add(record.organization);
      if ('created_by' in record) addUser(record.created_by);
      if ('creator' in record) addUser(record.creator);
      if (section !== 'clusters' && 'cluster' in record && record.cluster)
        clusters.add(record.organization, record.cluster);
    }
  }
  for (const { slug } of document.organizations ?? []) organizations.add(slug);
  for (const user of document.users ?? []) {
    users.add(user.email);
    for (const { organization } of user.organizations ?? []) {
      organizations.add(organization);
      joinedOrganizations.add(organization);
    }
  }
  for (const token of document.access_tokens ?? []) {
    users.add(token.user);
    for (const organization of token.organizations ?? []) {
      organizations.add(organization);
      tokenLimits.push({ user: token.user, organization });
    }
  }
  for (const cluster of document.clusters ?? []) clusters.add(cluster.organization, cluster.name);
  for (const queue of document.queues ?? []) addUser(queue.dispatch_paused_by);
  for (const pipeline of document.pipelines ?? []) pipelines.add(pipeline.organization, pipeline.slug);
  for (const suite of document.suites ?? []) suites.add(suite.organization, suite.slug);
  for (const team of document.teams ?? []) {
    teams.add(team.organization, team.slug ?? slugOf(team.name) ?? '');
    for (const { user } of team.members ?? []) users.add(user);
    for (const { pipeline, id } of team.pipelines ?? []) {
      pipelines.add(team.organization, pipeline);
      addId('teamPipeline', id);
    }
    for (const { suite, id } of team.suites ?? []) {
      suites.add(team.organization, suite);
      addId('teamSuite', id);
    }
  }
  for (const build of document.builds ?? []) {
    pipelines.add(build.organization, build.pipeline);
    const address = `${build.organization}/${build.pipeline}`;
    if (build.number !== undefined) given.add(address, build.number);
    if (build.rebuilt_from) rebuilt.add(address, build.rebuilt_from.number);
    for (const job of build.jobs ?? []) {
      addId('job', job.id);
      if (job.agent != null) agents.add(build.organization, job.agent);
    }
  }
  const digests = {
    accessToken: digestsOf(accessTokenPrefix, document.access_tokens),
    agentToken: digestsOf(agentTokenPrefix, document.agent_tokens),
  };
  const numbers = { given, rebuilt };
  return {
    organizations,
    users,
    joinedOrganizations,
    tokenLimits,
    clusters,
    pipelines,
    suites,
    teams,
    agents,
    ids,
    digests,
    numbers,
  };
}

const digestsOf = (prefix: 'mra' | 'mrt', tokens: readonly { readonly token?: string }[] = []): ReadonlySet<string> =>
  new Set(tokens.flatMap(({ token }) => (token && isWellFormed(prefix, token) ? [digestOf(token)] : [])));
