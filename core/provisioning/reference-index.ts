import { unchanged } from '../commands/batch.js';
import type { EntityName, Row } from '../model/index.js';
import type { ExpectedVersion } from '../ports/index.js';
import type { AgentRow, ExistingRecords } from './existing-records.js';
import type { Problems } from './problems.js';

/** A record that others may refer to, and its path in the document. The path is null if the record exists in the storage. */
interface Entry<R> {
  readonly row: R;
  readonly path: string | null;
}

/** Records of one entity by name: those of the storage that the document refers to, and those of the document. */
class RecordsByName<R extends { readonly id: string; readonly version: number }> {
  readonly #entries = new Map<string, Entry<R>>();
  readonly #entity: EntityName;
  readonly #used: Map<string, ExpectedVersion>;

  constructor(entity: EntityName, used: Map<string, ExpectedVersion>) {
    this.#entity = entity;
    this.#used = used;
  }

  set(name: string, row: R, path: string | null): void {
    this.#entries.set(name, { row, path });
  }

  entry(name: string): Entry<R> | undefined {
    return this.#entries.get(name);
  }

  /** The record with this name. The commit will expect an existing record to be unchanged. */
  get(name: string): R | undefined {
    const entry = this.#entries.get(name);
    if (entry?.path === null) this.#used.set(`${this.#entity} ${entry.row.id}`, unchanged(this.#entity, entry.row));
    return entry?.row;
  }
}

/** Finds the records that a document refers to by name, and adds a problem if there is none. */
export class ReferenceIndex {
  readonly #problems: Problems;
  readonly #used = new Map<string, ExpectedVersion>();
  readonly #organizations = this.#names<Row<'organization'>>('organization');
  readonly #users = this.#names<Row<'user'>>('user');
  readonly #clusters = this.#names<Row<'cluster'>>('cluster');
  readonly #queues = this.#names<Row<'queue'>>('queue');
  readonly #pipelines = this.#names<Row<'pipeline'>>('pipeline');
  readonly #suites = this.#names<Row<'suite'>>('suite');
  readonly #teams = this.#names<Row<'team'>>('team');
  readonly #members = new Set<string>();
  /** Agents by organization and name. Several agents may have the same name. */
  readonly #agents = new Map<string, AgentRow[]>();
  readonly #usedQueues = new Set<string>();
  /** Queue ids by key, for each cluster. The default queue has the empty key. */
  readonly #queueKeys = new Map<string, Map<string, string>>();

  constructor(existing: ExistingRecords, problems: Problems) {
    this.#problems = problems;
    for (const row of existing.organizations) this.#organizations.set(row.slug, row, null);
    for (const row of existing.users) this.#users.set(row.email, row, null);
    for (const row of existing.members) this.#members.add(`${row.organization_id} ${row.user_id}`);
    for (const row of existing.clusters) {
      this.#clusters.set(`${row.organization_id} ${row.name}`, row, null);
      if (row.default_queue_id) this.queueIdsByKey(row.id).set('', row.default_queue_id);
    }
    for (const row of existing.queues) {
      this.#queues.set(`${row.cluster_id} ${row.key}`, row, null);
      this.queueIdsByKey(row.cluster_id).set(row.key, row.id);
    }
    for (const row of existing.pipelines) this.#pipelines.set(`${row.organization_id} ${row.slug}`, row, null);
    for (const row of existing.suites) this.#suites.set(`${row.organization_id} ${row.slug}`, row, null);
    for (const row of existing.teams) this.#teams.set(`${row.organization_id} ${row.slug}`, row, null);
    for (const row of existing.agents) this.#noteAgent(row);
  }

  #names<R extends { readonly id: string; readonly version: number }>(entity: EntityName): RecordsByName<R> {
    return new RecordsByName<R>(entity, this.#used);
  }

  /**
   * The existing records that new records refer to. The commit expects them to be unchanged. Clusters only have to exist, and the
   * commit increments their versions, so that a concurrent deletion of a cluster conflicts and reads its records again.
   */
  get usedVersions(): readonly ExpectedVersion[] {
    return [...this.#used.values()].filter(({ entity }) => entity !== 'cluster');
  }
  get usedClusterVersions(): readonly ExpectedVersion[] {
    return [...this.#used.values()].filter(({ entity }) => entity === 'cluster');
  }

  addOrganization(row: Row<'organization'>, path: string): void {
    this.#add(this.#organizations, row.slug, row, path, `${path}.slug`, `an organization "${row.slug}"`);
  }
  organization(slug: string, path: string): Row<'organization'> | undefined {
    return this.#organizations.get(slug) ?? this.#missing(path, `organization "${slug}"`);
  }

  addUser(row: Row<'user'>, path: string): void {
    this.#add(this.#users, row.email, row, path, `${path}.email`, `a user "${row.email}"`);
  }
  user(email: string, path: string): Row<'user'> | undefined {
    return this.#users.get(email) ?? this.#missing(path, `user "${email}"`);
  }
  /** The id of a user. Null if the document leaves the user out. */
  userId(email: string | null | undefined, path: string): string | null {
    return email == null ? null : (this.user(email, path)?.id ?? null);
  }

  /** Adds a member. False if the user is a member already. */
  addMember(organization: string, user: string): boolean {
    const known = this.isMember(organization, user);
    this.#members.add(`${organization} ${user}`);
    return !known;
  }
  isMember(organization: string, user: string): boolean {
    return this.#members.has(`${organization} ${user}`);
  }

  addCluster(row: Row<'cluster'>, path: string): void {
    const what = `a cluster "${row.name}" in the organization`;
    this.#add(this.#clusters, `${row.organization_id} ${row.name}`, row, path, `${path}.name`, what);
  }
  cluster(organization: Row<'organization'>, name: string, path: string): Row<'cluster'> | undefined {
    const found = this.#clusters.get(`${organization.id} ${name}`);
    return found ?? this.#missing(path, `cluster "${name}" in the organization "${organization.slug}"`);
  }
  /** Whether the cluster exists in the storage. */
  existed(cluster: Row<'cluster'>): boolean {
    return this.#clusters.entry(`${cluster.organization_id} ${cluster.name}`)?.path === null;
  }

  addQueue(row: Row<'queue'>, path: string): void {
    const what = `a queue "${row.key}" in the cluster`;
    this.#add(this.#queues, `${row.cluster_id} ${row.key}`, row, path, `${path}.key`, what);
    this.queueIdsByKey(row.cluster_id).set(row.key, row.id);
  }
  queue(clusterId: string, key: string, path: string): Row<'queue'> | undefined {
    return this.#queues.get(`${clusterId} ${key}`) ?? this.#missing(path, `queue "${key}" in the cluster`);
  }
  /** Registers that new jobs use a queue: an existing queue must not be deleted at the same time. */
  useQueue(clusterId: string, queueId: string): void {
    if (this.#usedQueues.has(queueId)) return;
    this.#usedQueues.add(queueId);
    for (const [key, id] of this.queueIdsByKey(clusterId)) if (id === queueId) this.#queues.get(`${clusterId} ${key}`);
  }
  /** Queue ids of a cluster by key, with its default queue under the empty key. */
  queueIdsByKey(clusterId: string): Map<string, string> {
    const known = this.#queueKeys.get(clusterId) ?? new Map<string, string>();
    this.#queueKeys.set(clusterId, known);
    return known;
  }

  addPipeline(row: Row<'pipeline'>, path: string): void {
    const what = `a pipeline "${row.slug}" in the organization`;
    this.#add(this.#pipelines, `${row.organization_id} ${row.slug}`, row, path, `${path}.slug`, what);
  }
  pipeline(organization: Row<'organization'>, slug: string, path: string): Row<'pipeline'> | undefined {
    const found = this.#pipelines.get(`${organization.id} ${slug}`);
    return found ?? this.#missing(path, `pipeline "${slug}" in the organization "${organization.slug}"`);
  }

  addSuite(row: Row<'suite'>, path: string): void {
    const what = `a suite "${row.slug}" in the organization`;
    this.#add(this.#suites, `${row.organization_id} ${row.slug}`, row, path, `${path}.slug`, what);
  }
  suite(organization: Row<'organization'>, slug: string, path: string): Row<'suite'> | undefined {
    const found = this.#suites.get(`${organization.id} ${slug}`);
    return found ?? this.#missing(path, `suite "${slug}" in the organization "${organization.slug}"`);
  }

  /** `field` is the property that the slug is derived from. */
  addTeam(row: Row<'team'>, path: string, field: 'slug' | 'name'): void {
    const what = `a team "${row.slug}" in the organization`;
    this.#add(this.#teams, `${row.organization_id} ${row.slug}`, row, path, `${path}.${field}`, what);
  }

  addAgent(row: AgentRow): void {
    this.#noteAgent(row);
  }
  /** An agent by its name or its id. */
  agent(organization: Row<'organization'>, nameOrId: string, path: string): AgentRow | undefined {
    const found = this.#agents.get(`${organization.id} name ${nameOrId}`) ?? [];
    const byId = this.#agents.get(`${organization.id} id ${nameOrId.toLowerCase()}`) ?? [];
    const [agent, another] = found.length > 0 ? found : byId;
    if (!agent) return this.#missing(path, `agent "${nameOrId}" in the organization "${organization.slug}"`);
    if (another) {
      this.#problems.add(`${path}: there are several agents "${nameOrId}": name this one by its id`);
      return undefined;
    }
    return agent;
  }

  #noteAgent(row: AgentRow): void {
    for (const name of [`name ${row.name}`, `id ${row.id}`]) {
      const key = `${row.organization_id} ${name}`;
      const known = this.#agents.get(key);
      if (!known) this.#agents.set(key, [row]);
      else if (known.every(({ id }) => id !== row.id)) known.push(row);
    }
  }

  #add<R extends { readonly id: string; readonly version: number }>(
    records: RecordsByName<R>,
    name: string,
    row: R,
    path: string,
    field: string,
    what: string,
  ): void {
    const taken = records.entry(name);
    if (taken) this.#problems.add(`${field}: there is ${what} already${taken.path ? `, in ${taken.path}` : ''}`);
    else records.set(name, row, path);
  }

  #missing(path: string, what: string): undefined {
    this.#problems.add(`${path}: there is no ${what}`);
    return undefined;
  }
}
