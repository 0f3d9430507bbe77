import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { entryDigests } from '../../../adapters/knex/schema/entries-tables.js';
import { buildEventRows, createdRows, renderCreatedBuild } from '../shared/created-build.js';
import { groupBy } from '../shared/group-by.js';
import { type CachedPipeline, createLookups, type Query } from '../shared/lookups.js';
import { renderAgent, renderBuild } from '../shared/render.js';
import {
  connectedAgentsSql,
  countSql,
  type ListQuery,
  perPage,
  type Service,
  whereConditions,
} from '../shared/service.js';
import { unfinishedJobStates } from '../shared/unfinished-job-states.js';

export type DatabaseRow = Record<string, unknown>;

const tables = {
  builds: 'millrace_builds',
  jobs: 'millrace_jobs',
  users: 'millrace_users',
  agents: 'millrace_agents',
  queues: 'millrace_queues',
  events: 'millrace_events',
  entries: 'millrace_builds_meta_data',
  sequences: 'millrace_sequences',
};

/** The way of an application on Knex: the query builder, relations loaded in batches, changes in a transaction. */
export function knexStore(knex: Knex): Service {
  const lookups = createLookups(createQuery(knex));

  const newestFirst = (query: Knex.QueryBuilder) => query.orderByRaw('created_at desc nulls last, id desc nulls last');

  async function renderBuilds(
    builds: readonly DatabaseRow[],
    pipeline: CachedPipeline,
    connection: Knex = knex,
  ): Promise<unknown[]> {
    const ids = builds.map(({ id }) => id as string);
    const creators = [...new Set(builds.map(({ creator_id }) => creator_id as string))];
    const [jobs, users] = await Promise.all([
      connection(tables.jobs)
        .whereIn('build_id', ids)
        .where('retried', false)
        .orderBy(['position', 'created_at', 'id']),
      connection(tables.users).whereIn('id', creators),
    ]);
    const byBuild = groupBy(jobs as DatabaseRow[], 'build_id');
    const byId = new Map((users as DatabaseRow[]).map((user) => [user.id, user]));
    return builds.map((build) =>
      renderBuild(build, {
        organization: pipeline.organization,
        slug: String(pipeline.row.slug),
        jobs: byBuild.get(build.id) ?? [],
        creator: byId.get(build.creator_id),
        pipeline: pipeline.rendered,
      }),
    );
  }

  return {
    lookups,
    async read(pipeline, number) {
      const build = await knex(tables.builds).where({ pipeline_id: pipeline.id, number }).first();
      return build && JSON.stringify((await renderBuilds([build], pipeline))[0]);
    },
    async list(pipeline, listQuery: ListQuery) {
      const { sql, values } = whereConditions(listQuery);
      const where = {
        pipeline_id: pipeline.id,
        ...(listQuery.state && { state: listQuery.state }),
        ...(listQuery.branch && { branch: listQuery.branch }),
      };
      const page = newestFirst(knex(tables.builds).where(where))
        .limit(perPage + 1)
        .offset((listQuery.page - 1) * perPage);
      const [found, total] = await Promise.all([page, lookups.total(countSql(sql), [pipeline.id, ...values])]);
      const builds = (found as DatabaseRow[]).slice(0, perPage);
      return { text: JSON.stringify(await renderBuilds(builds, pipeline)), more: found.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lookups.organization(organization);
      const query = knex(tables.agents).where({ organization_id: id, connection_state: 'connected' });
      const [found, total] = await Promise.all([
        newestFirst(query)
          .limit(perPage + 1)
          .offset((page - 1) * perPage),
        lookups.total(connectedAgentsSql, [id]),
      ]);
      const agents = (found as DatabaseRow[]).slice(0, perPage);
      const [users, jobs] = await Promise.all([
        knex(tables.users).whereIn('id', [...new Set(agents.map(({ creator_id }) => creator_id as string))]),
        knex(tables.jobs).whereIn(
          'id',
          agents.flatMap(({ job_id }) => (job_id as string | null) ?? []),
        ),
      ]);
      const [user, job] = [users, jobs].map((rows) => new Map((rows as DatabaseRow[]).map((row) => [row.id, row])));
      const rendered = agents.map((agent) =>
        renderAgent(agent, user?.get(agent.creator_id), job?.get(agent.job_id), organization),
      );
      return { text: JSON.stringify(rendered), more: found.length > perPage, total };
    },
    async create(pipeline, input, caller) {
      const queue = await lookups.queue(String(pipeline.row.cluster_id));
      const now = new Date().toISOString();
      const steps = JSON.parse(String(pipeline.row.steps)) as unknown[];
      const jobIds = steps.map(() => randomUUID());
      const creation = { id: randomUUID(), jobs: jobIds, pipeline, input, caller, queue: String(queue?.id), now };
      return knex.transaction(async (trx) => {
        const held = trx(tables.queues).where({ id: queue?.id, version: queue?.version });
        if (!(await (isPostgres(knex) ? held.forShare() : held).first('id'))) return undefined;
        const [{ value } = { value: 0 }] = await trx(tables.sequences)
          .insert({ name: `build.number/${pipeline.id}`, value: 1 })
          .onConflict('name')
          .merge({ value: trx.raw('millrace_sequences.value + 1') })
          .returning('value');
        const { build, jobs } = createdRows(creation, Number(value));
        await trx(tables.builds).insert(build);
        await trx(tables.jobs).insert(jobs);
        const { organization_id, pipeline_id, created_at } = build;
        const copied = { record_id: build.id, organization_id, pipeline_id, created_at };
        await trx(tables.entries).insert(entryDigests(input.meta_data).map((digest) => ({ ...copied, digest })));
        await trx(tables.events).insert(buildEventRows(build, jobs, now));
        return renderCreatedBuild(creation, Number(value));
      });
    },
    async cancel(pipeline, number, caller) {
      const now = new Date().toISOString();
      const changed = { version: knex.raw('version + 1'), state: 'canceled', finished_at: now };
      return knex.transaction(async (trx) => {
        const selectedBuild = trx(tables.builds).where({ pipeline_id: pipeline.id, number });
        const [build] = await selectedBuild
          .whereIn('state', ['scheduled', 'running', 'failing'])
          .update({ ...changed, cancel_reason: `Canceled by ${caller.user.name}` })
          .returning('*');
        if (build === undefined) return undefined;
        const canceledJobs = await trx(tables.jobs)
          .where({ build_id: build.id })
          .whereIn('state', unfinishedJobStates)
          .update(changed)
          .returning('*');
        const held = (canceledJobs as DatabaseRow[]).flatMap(({ id, agent_id }) =>
          agent_id === null ? [] : [id as string],
        );
        if (held.length > 0) {
          const freed = { version: knex.raw('version + 1'), job_id: null, last_job_finished_at: now };
          await trx(tables.agents).whereIn('job_id', held).update(freed);
        }
        await trx(tables.events).insert(buildEventRows(build, canceledJobs as DatabaseRow[], now));
        return JSON.stringify((await renderBuilds([build], pipeline, trx))[0]);
      });
    },
    close: () => knex.destroy(),
  };
}

const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';

/** Statements of the lobby, whose places Knex spells `?`. */
const createQuery =
  (knex: Knex): Query =>
  async (sql, values) => {
    const bindings: unknown[] = [];
    const text = sql.replace(/\$(\d+)/g, (_, index: string) => {
      bindings.push(values[Number(index) - 1]);
      return '?';
    });
    const result = await knex.raw(text, bindings as Knex.RawBinding[]);
    return isPostgres(knex) ? result.rows : result;
  };

/** Knex as its manual sets it up. Whole numbers of PostgreSQL come as text unless one says otherwise; they are left so. */
export async function createKnex({
  postgres,
  sqlite,
}: {
  readonly postgres?: string;
  readonly sqlite?: string;
}): Promise<Knex> {
  const { default: knex } = await import('knex');
  if (postgres !== undefined) return knex({ client: 'pg', connection: postgres, pool: { min: 2, max: 10 } });
  return knex({
    client: 'sqlite3',
    connection: { filename: sqlite ?? '' },
    useNullAsDefault: true,
    pool: {
      afterCreate: (
        database: { exec(sql: string, done: (error: Error | null) => void): void },
        done: (error: Error | null) => void,
      ) => database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000', done),
    },
  });
}
