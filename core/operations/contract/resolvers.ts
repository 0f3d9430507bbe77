import { membershipOf } from '../../auth/membership.js';
import { type ApiError, errors, isApiError, type PlainConstructor } from '../../errors/index.js';
import type { QueryName, QueryRow, Row } from '../../model/index.js';
import type { Caller, Stamp } from '../../ports/index.js';
import type { Reader } from '../../ports/storage.js';
import { type Schema, string, uuid } from '../../schema/schema.js';
import { isUuid } from '../../schema/uuid.js';
import { isStorable } from '../../schema/validation.js';

/** The records that path parameters stand for. A path such as `/v2/organizations/{organization}/…` names them. */
export interface ResolvedRecords {
  organization: Row<'organization'>;
  pipeline: Row<'pipeline'>;
  build: QueryRow<'build.byNumber'>;
  agent: QueryRow<'agent.inOrganization'>;
  cluster: QueryRow<'cluster.inOrganization'>;
  queue: QueryRow<'queue.inCluster'>;
  agentToken: QueryRow<'agentToken.inCluster'>;
  team: QueryRow<'team.inOrganization'>;
  teamSuite: QueryRow<'teamSuite.ofTeam'>;
  teamPipeline: QueryRow<'teamPipeline.ofTeams'>;
  suite: QueryRow<'suite.bySlug'>;
}

export type ResolverName = keyof ResolvedRecords;

/** The records named by the placeholders of a path. */
export type PathParameters<P extends string> = {
  readonly [K in Placeholder<P> & ResolverName]: ResolvedRecords[K];
};
/** The names in braces of a path. */
export type Placeholder<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/**
 * Resolves a path parameter to a record, only within the records before it in the path, so that no caller reaches
 * another tenant's records, and no operation has to check.
 */
interface Resolver<K extends ResolverName> {
  /** As in `No pipeline found`. */
  readonly label: string;
  readonly notFound: PlainConstructor;
  readonly schema: Schema<string>;
  readonly description: string;
  find(
    value: string,
    records: Partial<ResolvedRecords>,
    caller: Caller,
    reader: Reader,
  ): Promise<ResolvedRecords[K] | undefined>;
  /** Only the stamp, for records in the render cache. */
  stamp?(value: string, records: Partial<ResolvedRecords>, reader: Reader): Promise<Stamp | undefined>;
}

export const resolvers: { readonly [K in ResolverName]: Resolver<K> } = {
  organization: {
    label: 'organization',
    notFound: errors.organizationNotFound,
    schema: string(),
    description: "The organization's slug",
    /** An organization that the token may not use is treated as missing (decisions 2). */
    async find(slug, _at, caller, reader) {
      const [organization] = await reader.select('organization.bySlug', { slug }, 1);
      return organization && membershipOf(caller, organization.id) ? organization : undefined;
    },
  },
  pipeline: {
    label: 'pipeline',
    notFound: errors.pipelineNotFound,
    schema: string(),
    description: "The pipeline's slug",
    async find(slug, records, _caller, reader) {
      const [pipeline] = await reader.select(
        'pipeline.bySlug',
        { organization: parentOf(records, 'organization').id, slug },
        1,
      );
      return pipeline;
    },
  },
  build: {
    label: 'build',
    notFound: errors.buildNotFound,
    schema: string({ pattern: '^[0-9]+$' }),
    description: "The build's number",
    async find(value, records, _caller, reader) {
      const number = buildNumber(value);
      if (number === undefined) return undefined;
      const [build] = await reader.select('build.byNumber', { pipeline: parentOf(records, 'pipeline').id, number }, 1);
      return build;
    },
    async stamp(value, records, reader) {
      const number = buildNumber(value);
      if (number === undefined) return undefined;
      const args = { pipeline: parentOf(records, 'pipeline').id, number };
      return (await reader.find('build.byNumber', args, { offset: 0, limit: 1 })).stamps[0];
    },
  },
  agent: byId(
    'agent',
    'agent',
    errors.agentNotFound,
    'agent.inOrganization',
    (agent, records) => agent.organization_id === records('organization').id,
  ),
  cluster: byId(
    'cluster',
    'cluster',
    errors.clusterNotFound,
    'cluster.inOrganization',
    (cluster, records) => cluster.organization_id === records('organization').id,
  ),
  queue: byId(
    'queue',
    'cluster queue',
    errors.queueNotFound,
    'queue.inCluster',
    (queue, records) => queue.cluster_id === records('cluster').id,
  ),
  agentToken: byId(
    'agent token',
    'cluster token',
    errors.agentTokenNotFound,
    'agentToken.inCluster',
    (token, records) => token.cluster_id === records('cluster').id,
  ),
  team: byId('team', 'team', errors.teamNotFound, 'team.inOrganization', (team, records, caller, reader) => {
    return team.organization_id === records('organization').id && seesTeam(team, caller, reader);
  }),
  teamSuite: {
    label: 'team suite',
    notFound: errors.teamSuiteNotFound,
    schema: uuid(),
    description: "The suite's id",
    async find(value, records, _caller, reader) {
      if (!isUuid(value)) return undefined;
      const args = { team: parentOf(records, 'team').id, suite: value.toLowerCase() };
      return (await reader.select('teamSuite.ofTeam', args, 1))[0];
    },
  },
  teamPipeline: {
    label: 'team pipeline',
    notFound: errors.teamPipelineNotFound,
    schema: uuid(),
    description: "The pipeline's id",
    async find(value, records, _caller, reader) {
      if (!isUuid(value)) return undefined;
      const args = { teams: [parentOf(records, 'team').id], pipeline: value.toLowerCase() };
      return (await reader.select('teamPipeline.ofTeams', args, 1))[0];
    },
  },
  suite: {
    label: 'suite',
    notFound: errors.suiteNotFound,
    schema: string(),
    description: "The suite's slug",
    async find(slug, records, _caller, reader) {
      const args = { organization: parentOf(records, 'organization').id, slug };
      return (await reader.select('suite.bySlug', args, 1))[0];
    },
  },
};

/** Undefined if the value is not a build number. */
function buildNumber(value: string): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** A resolver by id: the record is looked up wherever it is, and then has to belong below the records before it. */
function byId<Q extends QueryName>(
  name: string,
  label: string,
  notFound: PlainConstructor,
  query: Q,
  belongs: (
    row: QueryRow<Q>,
    records: <K extends ResolverName>(name: K) => ResolvedRecords[K],
    caller: Caller,
    reader: Reader,
  ) => boolean | Promise<boolean>,
) {
  return {
    label,
    notFound,
    schema: uuid(),
    description: `The ${name}'s id`,
    async find(value: string, records: Partial<ResolvedRecords>, caller: Caller, reader: Reader) {
      if (!isUuid(value)) return undefined;
      const [row] = await reader.load(query, [value.toLowerCase()]);
      return row && (await belongs(row, (parent) => parentOf(records, parent), caller, reader)) ? row : undefined;
    },
  };
}

/** Secret teams are seen by their members and by admins only (decisions 2). */
async function seesTeam(team: Row<'team'>, caller: Caller, reader: Reader): Promise<boolean> {
  if (team.privacy === 'visible' || membershipOf(caller, team.organization_id)?.role === 'admin') return true;
  const args = { organization: team.organization_id, user: caller.user.id, team: team.id };
  return (await reader.find('teamMember.ofUser', args, { offset: 0, limit: 1 })).stamps.length > 0;
}

function parentOf<K extends ResolverName>(records: Partial<ResolvedRecords>, name: K): ResolvedRecords[K] {
  const record = records[name];
  if (record === undefined) throw new Error(`The path names no ${name} before it is needed`);
  return record as ResolvedRecords[K];
}

/**
 * Resolves the parameters of a path in their order; a 404 for the first that names nothing. `allowed` is called as soon as the
 * organization is known: a missing right is answered before whether the other records exist (decisions 12).
 */
export async function resolvePath(
  params: Readonly<Record<string, string>>,
  caller: Caller,
  reader: Reader,
  allowed?: (organization: Row<'organization'>) => Promise<boolean>,
): Promise<Partial<ResolvedRecords> | ApiError> {
  const records: Partial<Record<ResolverName, unknown>> = {};
  for (const [name, value] of Object.entries(params) as [ResolverName, string][]) {
    // Text that no record can contain is not looked up: some databases reject it.
    const record = isStorable(value)
      ? await resolvers[name].find(value, records as Partial<ResolvedRecords>, caller, reader)
      : undefined;
    if (record === undefined) return resolvers[name].notFound();
    records[name] = record;
    if (name === 'organization' && allowed && !(await allowed(record as Row<'organization'>)))
      return errors.forbidden();
  }
  return records as Partial<ResolvedRecords>;
}

/** The last record that a path names, by its stamp only. */
export interface ResolvedStamp {
  readonly stamp: Stamp;
  /** The records before it in the path. */
  readonly records: Partial<ResolvedRecords>;
  /** Makes the error for a record that is gone. */
  readonly notFound: PlainConstructor;
}

/** Resolves a path like `resolvePath`, but looks up only the stamp of the last record. */
export async function resolveStamp(
  params: Readonly<Record<string, string>>,
  caller: Caller,
  reader: Reader,
): Promise<ResolvedStamp | ApiError> {
  const last = Object.keys(params).at(-1) as ResolverName;
  const { [last]: value = '', ...parents } = params;
  const records = await resolvePath(parents, caller, reader);
  if (isApiError(records)) return records;
  const { stamp: findStamp, notFound } = resolvers[last];
  const stamp = isStorable(value) ? await findStamp?.(value, records, reader) : undefined;
  return stamp ? { stamp, records, notFound } : notFound();
}
