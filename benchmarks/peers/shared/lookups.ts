import { digestOf } from '../../../core/auth/token-format.js';
import { renderPipeline } from './render.js';
import { cachedForOneSecond } from './ttl-cache.js';

type DatabaseRow = Readonly<Record<string, unknown>>;

/** Runs a query on the peer's database. The parameters are `$1`, `$2` … on both databases. */
export type Query = (sql: string, values: readonly unknown[]) => Promise<readonly DatabaseRow[]>;

/** The look-ups that every request begins with: the caller, the organization, the pipeline. */
export interface Lookups {
  /** The user of a bearer token that has that scope; undefined if there is none. */
  authenticate(authorization: string | undefined, scope: string): Promise<Caller | undefined>;
  pipeline(slug: string): Promise<CachedPipeline | undefined>;
  /** The id of an organization. */
  organization(slug: string): Promise<string | undefined>;
  /** The default queue of a cluster. */
  queue(cluster: string): Promise<DatabaseRow | undefined>;
  /** The length of a list, counted up to one more than the limit for the `last` link. */
  total(sql: string, values: readonly unknown[]): Promise<number>;
}

export interface Caller {
  readonly user: DatabaseRow;
  readonly scopes: readonly string[];
}

export interface CachedPipeline {
  readonly row: DatabaseRow;
  readonly id: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly rendered: Readonly<Record<string, unknown>>;
  /** The pipeline as JSON. */
  readonly json: string;
}

/** Every result is cached for one second, as the lookup cache of Millrace does it. */
export function createLookups(query: Query): Lookups {
  const callers = cachedForOneSecond(async (token: string): Promise<Caller | undefined> => {
    const [found] = await query(callerSql, [digestOf(token)]);
    return found && { user: found, scopes: JSON.parse(String(found.scopes)) };
  });
  const pipelines = cachedForOneSecond(async (slug: string): Promise<CachedPipeline | undefined> => {
    const [row] = await query(pipelineSql, [slug]);
    if (row === undefined) return undefined;
    const [counters = {}] = await query(countersSql, [row.id]);
    const numbers = Object.fromEntries(Object.entries(counters).map(([name, count]) => [name, Number(count)]));
    const organization = String(row.organization_slug);
    const rendered = renderPipeline(row, organization, numbers);
    const organizationId = String(row.organization_id);
    return { row, id: String(row.id), organization, organizationId, rendered, json: JSON.stringify(rendered) };
  });
  const totals = cachedForOneSecond(async (key: string) => {
    const [sql, ...values] = JSON.parse(key) as [string, ...unknown[]];
    const [row] = await query(`select count(*) as total from (${sql} limit 10001) m`, values);
    return Number(row?.total);
  });
  const organizations = cachedForOneSecond(
    async (slug: string) => (await query(organizationSql, [slug]))[0]?.id as string | undefined,
  );
  const queues = cachedForOneSecond(async (cluster: string) => (await query(queueSql, [cluster]))[0]);
  return {
    organization: organizations,
    queue: queues,
    async authenticate(authorization, scope) {
      const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
      const caller = token === undefined ? undefined : await callers(token);
      return caller?.scopes.includes(scope) ? caller : undefined;
    },
    pipeline: pipelines,
    total: (sql, values) => totals(JSON.stringify([sql, ...values])),
  };
}

const callerSql = `select u.*, t.scopes from millrace_access_tokens t join millrace_users u on u.id = t.user_id where t.digest = $1 and t.revoked_at is null`;
const pipelineSql = `select p.*, o.slug as organization_slug from millrace_pipelines p join millrace_organizations o on o.id = p.organization_id where o.slug = 'acme' and p.slug = $1`;
const organizationSql = 'select id from millrace_organizations where slug = $1';
const queueSql = `select id, version from millrace_queues where cluster_id = $1 and key = 'default'`;

const countSubquery = (table: string, states: readonly string[]) =>
  `(select count(*) from millrace_${table} where pipeline_id = $1 and state in (${states.map((state) => `'${state}'`).join(', ')}))`;

const countersSql = `select ${countSubquery('builds', ['scheduled'])} as scheduled_builds_count,
  ${countSubquery('builds', ['running', 'failing', 'canceling'])} as running_builds_count,
  ${countSubquery('jobs', ['scheduled'])} as scheduled_jobs_count,
  ${countSubquery('jobs', ['assigned', 'accepted', 'running', 'canceling', 'timing_out'])} as running_jobs_count,
  ${countSubquery('jobs', ['pending', 'waiting', 'limiting', 'limited'])} as waiting_jobs_count`;
