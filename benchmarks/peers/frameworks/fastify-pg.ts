import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { entryDigests } from '../../../adapters/knex/schema/entries-tables.js';
import { endpoints, type Peer } from '../peer.js';
import { buildEventRows, createdRows, renderCreatedBuild } from '../shared/created-build.js';
import { groupBy } from '../shared/group-by.js';
import { handleRequest } from '../shared/handle-request.js';
import { type CachedPipeline, createLookups } from '../shared/lookups.js';
import { renderAgent, renderBuild } from '../shared/render.js';
import {
  connectedAgentsSql,
  countSql,
  type NewBuild,
  perPage,
  type Service,
  whereConditions,
} from '../shared/service.js';
import { unfinishedJobStatesSql } from '../shared/unfinished-job-states.js';

type DatabaseRow = Record<string, unknown>;

/** Fastify with a pool of pg: statements with parameters, relations loaded in batches, changes in a transaction. */
export const fastifyPg: Peer = {
  description: 'Fastify + pg',
  database: 'PostgreSQL',
  equality: 'JSON',
  endpoints,
  async start({ postgres = '' }) {
    const service = createService(postgres);
    const { default: fastify } = await import('fastify');
    const app = fastify();
    app.all('/v2/*', async (request, reply) => {
      const { method, url, headers, body } = request;
      const { status, text, link } = await handleRequest(
        service,
        method,
        url,
        headers.authorization,
        body as NewBuild | undefined,
      );
      if (link !== undefined) reply.header('Link', link);
      return reply.code(status).type('application/json; charset=utf-8').send(text);
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      url,
      close: async () => {
        app.server.closeAllConnections();
        await app.close();
        await service.close();
      },
    };
  },
};

const newestFirstSql = 'order by created_at desc nulls last, id desc nulls last';

function createService(connectionString: string): Service {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const query = async (
    sql: string,
    values: readonly unknown[],
    connection: pg.Pool | pg.PoolClient = pool,
  ): Promise<DatabaseRow[]> => (await connection.query(sql, values as unknown[])).rows;
  const lookups = createLookups(query);

  async function renderBuilds(
    builds: readonly DatabaseRow[],
    pipeline: CachedPipeline,
    connection?: pg.PoolClient,
  ): Promise<unknown[]> {
    const ids = builds.map(({ id }) => id);
    const jobsOf = query(
      'select * from millrace_jobs where build_id = any($1) and not retried order by build_id, position, created_at, id',
      [ids],
      connection,
    );
    const usersOf = query(
      'select * from millrace_users where id = any($1)',
      [builds.map(({ creator_id }) => creator_id)],
      connection,
    );
    const byBuild = groupBy(await jobsOf, 'build_id');
    const users = new Map((await usersOf).map((user) => [user.id, user]));
    return builds.map((build) =>
      renderBuild(build, {
        organization: pipeline.organization,
        slug: String(pipeline.row.slug),
        jobs: byBuild.get(build.id) ?? [],
        creator: users.get(build.creator_id),
        pipeline: pipeline.rendered,
      }),
    );
  }

  async function transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Rows of one table with one statement. */
  async function insert(client: pg.PoolClient, table: string, rows: readonly DatabaseRow[]): Promise<void> {
    const names = Object.keys(rows[0] ?? {});
    const places = rows.map(
      (_, row) => `(${names.map((_, index) => `$${row * names.length + index + 1}`).join(', ')})`,
    );
    const values = rows.flatMap((row) => names.map((name) => row[name]));
    await client.query(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values ${places.join(', ')}`,
      values,
    );
  }

  return {
    lookups,
    async read(pipeline, number) {
      const builds = await query('select * from millrace_builds where pipeline_id = $1 and number = $2', [
        pipeline.id,
        number,
      ]);
      return builds.length === 0 ? undefined : JSON.stringify((await renderBuilds(builds, pipeline))[0]);
    },
    async list(pipeline, listQuery) {
      const { sql, values } = whereConditions(listQuery);
      const page = `select * from millrace_builds where pipeline_id = $1${sql} ${newestFirstSql} limit ${perPage + 1} offset $${values.length + 2}`;
      const [found, total] = await Promise.all([
        query(page, [pipeline.id, ...values, (listQuery.page - 1) * perPage]),
        lookups.total(countSql(sql), [pipeline.id, ...values]),
      ]);
      return {
        text: JSON.stringify(await renderBuilds(found.slice(0, perPage), pipeline)),
        more: found.length > perPage,
        total,
      };
    },
    async agents(organization, page) {
      const id = await lookups.organization(organization);
      const sql = `select * from millrace_agents where organization_id = $1 and connection_state = 'connected' ${newestFirstSql} limit ${perPage + 1} offset $2`;
      const [found, total] = await Promise.all([
        query(sql, [id, (page - 1) * perPage]),
        lookups.total(connectedAgentsSql, [id]),
      ]);
      const agents = found.slice(0, perPage);
      const [users, jobs] = await Promise.all([
        query('select * from millrace_users where id = any($1)', [agents.map(({ creator_id }) => creator_id)]),
        query('select * from millrace_jobs where id = any($1)', [
          agents.map(({ job_id }) => job_id).filter((job) => job !== null),
        ]),
      ]);
      const [user, job] = [users, jobs].map((rows) => new Map(rows.map((row) => [row.id, row])));
      const rendered = agents.map((agent) =>
        renderAgent(agent, user?.get(agent.creator_id), job?.get(agent.job_id), organization),
      );
      return { text: JSON.stringify(rendered), more: found.length > perPage, total };
    },
    async create(pipeline, input, caller) {
      const queue = await lookups.queue(String(pipeline.row.cluster_id));
      const now = new Date().toISOString();
      const jobIds = (JSON.parse(String(pipeline.row.steps)) as unknown[]).map(() => randomUUID());
      const creation = { id: randomUUID(), jobs: jobIds, pipeline, input, caller, queue: String(queue?.id), now };
      return transaction(async (client) => {
        const held = await query(
          'select id from millrace_queues where id = $1 and version = $2 for share',
          [queue?.id, queue?.version],
          client,
        );
        if (held.length === 0) return undefined;
        const nextNumberSql =
          'insert into millrace_sequences as s (name, value) values ($1, 1) on conflict (name) do update set value = s.value + 1 returning value';
        const [row] = await query(nextNumberSql, [`build.number/${pipeline.id}`], client);
        const { build, jobs } = createdRows(creation, Number(row?.value));
        await insert(client, 'millrace_builds', [build]);
        await insert(client, 'millrace_jobs', jobs);
        const { organization_id, pipeline_id, created_at } = build;
        const copied = { record_id: build.id, organization_id, pipeline_id, created_at };
        await insert(
          client,
          'millrace_builds_meta_data',
          entryDigests(input.meta_data).map((digest) => ({ ...copied, digest })),
        );
        await insert(client, 'millrace_events', buildEventRows(build, jobs, now));
        return renderCreatedBuild(creation, Number(row?.value));
      });
    },
    async cancel(pipeline, number, caller) {
      const now = new Date().toISOString();
      return transaction(async (client) => {
        const cancelBuildSql = `update millrace_builds set version = version + 1, state = 'canceled', cancel_reason = $3, finished_at = $4 where pipeline_id = $1 and number = $2 and state in ('scheduled', 'running', 'failing') returning *`;
        const [build] = await query(
          cancelBuildSql,
          [pipeline.id, number, `Canceled by ${caller.user.name}`, now],
          client,
        );
        if (build === undefined) return undefined;
        const cancelJobsSql = `update millrace_jobs set version = version + 1, state = 'canceled', finished_at = $2 where build_id = $1 and state in ${unfinishedJobStatesSql} returning *`;
        const jobs = await query(cancelJobsSql, [build.id, now], client);
        const held = jobs.filter(({ agent_id }) => agent_id !== null).map(({ id }) => id);
        if (held.length > 0) {
          const freeAgentsSql =
            'update millrace_agents set version = version + 1, job_id = null, last_job_finished_at = $2 where job_id = any($1)';
          await query(freeAgentsSql, [held, now], client);
        }
        await insert(client, 'millrace_events', buildEventRows(build, jobs, now));
        return JSON.stringify((await renderBuilds([build], pipeline, client))[0]);
      });
    },
    close: () => pool.end(),
  };
}
