import { selectAll } from '../commands/select-all.js';
import type { EntityName, QueryName, QueryRow, Row } from '../model/index.js';
import type { Reader } from '../ports/storage.js';
import { isUuid } from '../schema/uuid.js';
import type { GroupedNames, References } from './references.js';

/** An agent with its creator, as in the snapshots of jobs. */
export type AgentRow = Row<'agent'> & { readonly creator: Row<'user'> | null };

/** The records of the storage that a document refers to. They are plain values, so that planning needs no storage. */
export interface ExistingRecords {
  readonly organizations: readonly Row<'organization'>[];
  readonly users: readonly Row<'user'>[];
  readonly members: readonly Row<'member'>[];
  readonly clusters: readonly Row<'cluster'>[];
  /** All queues of those clusters. */
  readonly queues: readonly Row<'queue'>[];
  readonly pipelines: readonly Row<'pipeline'>[];
  readonly suites: readonly Row<'suite'>[];
  readonly teams: readonly Row<'team'>[];
  /** The default teams of the organizations that users become members of (spec 2.9). */
  readonly defaultTeams: readonly Row<'team'>[];
  readonly agents: readonly AgentRow[];
  readonly builds: readonly Pick<Row<'build'>, 'id' | 'pipeline_id' | 'number'>[];
  /** Ids in the document that exist in the storage, as `entity id`. */
  readonly ids: ReadonlySet<string>;
  readonly digests: ReadonlySet<string>;
}

/** An empty storage. */
export const noExistingRecords: ExistingRecords = {
  organizations: [],
  users: [],
  members: [],
  clusters: [],
  queues: [],
  pipelines: [],
  suites: [],
  teams: [],
  defaultTeams: [],
  agents: [],
  builds: [],
  ids: new Set(),
  digests: new Set(),
};

/** The number of concurrent look-ups. */
const maxConcurrentLookups = 32;
/** The number of ids in one look-up. */
const maxIdsPerLookup = 500;
/** The largest number of build numbers that are looked up before a commit has returned `duplicate`. */
const maxNumbersCheckedEarly = 100;
/** The largest number of queues of one cluster that are read. */
const maxQueuesPerCluster = 10_000;

/** A query that can load records of an entity by id. */
const idQueries = {
  organization: 'organization.bySlug',
  user: 'user.byEmail',
  accessToken: 'accessToken.byDigest',
  cluster: 'cluster.inOrganization',
  queue: 'queue.inCluster',
  agentToken: 'agentToken.byDigest',
  pipeline: 'pipeline.bySlug',
  suite: 'suite.bySlug',
  team: 'team.inOrganization',
  teamPipeline: 'teamPipeline.ofTeams',
  agent: 'agent.silent',
  job: 'job.inQueue',
} as const satisfies Partial<Record<EntityName, QueryName>>;

/**
 * Looks up the records that a document refers to. Records of a new organization are not looked up, so a document that contains
 * all of its records costs a few look-ups, whatever its length.
 *
 * Each build number of the document needs its own look-up. If there are many, they are looked up only with `thoroughly`: after
 * a commit has returned `duplicate`.
 */
export async function loadExisting(
  references: References,
  reader: Reader,
  checkAllNumbers: boolean,
): Promise<ExistingRecords> {
  const [organizations, users, ids, digests] = await Promise.all([
    selectForEach(references.organizations, (slug) => reader.select('organization.bySlug', { slug }, 1)),
    selectForEach(references.users, (email) => reader.select('user.byEmail', { email }, 1)),
    takenIds(references, reader),
    takenDigests(references, reader),
  ]);
  const inExistingOrganizations = (names: GroupedNames) =>
    organizations.flatMap(({ id, slug }) => [...(names.get(slug) ?? [])].map((name) => ({ organization: id, name })));

  const [members, named, pipelines, suites, teams, agents, defaultTeams] = await Promise.all([
    selectForEach(existingTokenLimits(references, organizations, users), (pair) =>
      reader.select('member.byUser', pair, 1),
    ),
    selectForEach(inExistingOrganizations(references.clusters), (cluster) =>
      reader.select('cluster.inOrganization', cluster, 1),
    ),
    selectForEach(inExistingOrganizations(references.pipelines), ({ organization, name: slug }) =>
      reader.select('pipeline.bySlug', { organization, slug }, 1),
    ),
    selectForEach(inExistingOrganizations(references.suites), ({ organization, name: slug }) =>
      reader.select('suite.bySlug', { organization, slug }, 1),
    ),
    selectForEach(inExistingOrganizations(references.teams), ({ organization, name: slug }) =>
      reader.select('team.inOrganization', { organization, slug }, 1),
    ),
    selectForEach(inExistingOrganizations(references.agents), (agent) => agentsByNameOrId(agent, reader)),
    selectForEach(
      organizations.filter(({ slug }) => references.joinedOrganizations.has(slug)),
      ({ id }) => selectAll(reader, 'team.inOrganization', { organization: id, default: true }),
    ),
  ]);
  const known = new Set(named.map(({ id }) => id));
  const others = [...new Set(pipelines.flatMap(({ cluster_id }) => cluster_id ?? []))].filter((id) => !known.has(id));
  const clusters = [...named, ...(await reader.load('cluster.inOrganization', others))];
  const [queues, builds] = await Promise.all([
    selectForEach(clusters, ({ id }) => reader.select('queue.inCluster', { cluster: id }, maxQueuesPerCluster)),
    takenBuildNumbers(references, { organizations, pipelines }, reader, checkAllNumbers),
  ]);
  return {
    organizations,
    users,
    members,
    clusters,
    queues,
    pipelines,
    suites,
    teams,
    defaultTeams,
    agents,
    builds,
    ids,
    digests,
  };
}

/** The records found for all of the names. A few look-ups run at the same time. */
async function selectForEach<N, T>(names: Iterable<N>, select: (name: N) => Promise<readonly T[]>): Promise<T[]> {
  const remaining = [...names];
  const found: T[] = [];
  for (let from = 0; from < remaining.length; from += maxConcurrentLookups)
    found.push(...(await Promise.all(remaining.slice(from, from + maxConcurrentLookups).map(select))).flat());
  return found;
}

/** The limits of tokens to organizations, as ids, if both the user and the organization exist in the storage. */
function existingTokenLimits(
  { tokenLimits }: References,
  organizations: readonly Row<'organization'>[],
  users: readonly Row<'user'>[],
): { readonly organization: string; readonly user: string }[] {
  const bySlug = new Map(organizations.map(({ id, slug }) => [slug, id]));
  const byEmail = new Map(users.map(({ id, email }) => [email, id]));
  return tokenLimits.flatMap((limit) => {
    const organization = bySlug.get(limit.organization);
    const user = byEmail.get(limit.user);
    return organization && user ? [{ organization, user }] : [];
  });
}

/** Names of agents are not unique. Two agents with a name are enough to know that it is ambiguous. */
async function agentsByNameOrId(
  { organization, name }: { readonly organization: string; readonly name: string },
  reader: Reader,
): Promise<QueryRow<'agent.inOrganization'>[]> {
  const named = await reader.select('agent.inOrganization', { organization, name }, 2);
  if (named.length > 0 || !isUuid(name)) return named;
  const [agent] = await reader.load('agent.inOrganization', [name.toLowerCase()]);
  return agent?.organization_id === organization ? [agent] : [];
}

async function takenIds({ ids }: References, reader: Reader): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const [entity, wanted] of ids) {
    const all = [...wanted];
    for (let from = 0; from < all.length; from += maxIdsPerLookup) {
      const some = all.slice(from, from + maxIdsPerLookup);
      const rows: readonly { readonly id: string }[] =
        entity === 'build'
          ? await reader.load('build.byNumber', some)
          : await reader.load(idQueries[entity as keyof typeof idQueries], some);
      for (const { id } of rows) taken.add(`${entity} ${id}`);
    }
  }
  return taken;
}

async function takenDigests({ digests }: References, reader: Reader): Promise<Set<string>> {
  const access = await selectForEach(digests.accessToken, (digest) =>
    reader.select('accessToken.byDigest', { digest }, 1),
  );
  const agent = await selectForEach(digests.agentToken, (digest) =>
    reader.select('agentToken.byDigest', { digest }, 1),
  );
  return new Set([...access, ...agent].map(({ digest }) => digest));
}

async function takenBuildNumbers(
  { numbers }: References,
  { organizations, pipelines }: Pick<ExistingRecords, 'organizations' | 'pipelines'>,
  reader: Reader,
  checkAllNumbers: boolean,
): Promise<ExistingRecords['builds']> {
  const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]));
  const wanted = (of: GroupedNames<number>) =>
    pipelines.flatMap((pipeline) =>
      [...(of.get(`${slugs.get(pipeline.organization_id)}/${pipeline.slug}`) ?? [])].map((number) => ({
        pipeline: pipeline.id,
        number,
      })),
    );
  const given = wanted(numbers.given);
  return selectForEach(
    [...wanted(numbers.rebuilt), ...(checkAllNumbers || given.length <= maxNumbersCheckedEarly ? given : [])],
    (address) => reader.select('build.byNumber', address, 1),
  );
}
