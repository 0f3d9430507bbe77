import { randomUUID } from 'node:crypto';
import { entryDigests } from '../../../adapters/knex/schema/entries-tables.js';
import { endpoints, type Peer } from '../peer.js';
import { buildEventRows, createdRows, renderCreatedBuild } from '../shared/created-build.js';
import { type CachedPipeline, createLookups } from '../shared/lookups.js';
import { startPlainHttp } from '../shared/plain-http-server.js';
import { renderAgent, renderBuild } from '../shared/render.js';
import { connectedAgentsSql, countSql, perPage, type Service, whereConditions } from '../shared/service.js';
import { unfinishedJobStatesSql } from '../shared/unfinished-job-states.js';
import { type BetterSqlite, openBetterSqlite, statementCache } from './better-sqlite.js';

type DatabaseRow = Record<string, unknown>;

/** better-sqlite3 on the main thread: prepared statements, rows by index, and JSON written by JavaScript. */
export const handTunedSqlite: Peer = {
  description: 'node:http + better-sqlite3, hand-tuned SQL',
  database: 'SQLite',
  equality: 'JSON',
  endpoints,
  start: async ({ sqlite = '' }) => startPlainHttp(createService(await openBetterSqlite(sqlite))),
};

const jobsSql = 'select * from millrace_jobs where build_id = $1 and retried = 0 order by position, created_at, id';
const userSql = 'select * from millrace_users where id = $1';

export const pageSql = (conditions: string, values: number): string =>
  `select id from millrace_builds where pipeline_id = $1${conditions} order by created_at desc, id desc limit ${perPage + 1} offset $${values + 2}`;

function createService(database: BetterSqlite): Service {
  const sql = statementCache(database);
  const lookups = createLookups(async (text, values) => sql(text).all(...values));

  const renderStoredBuild = (build: DatabaseRow, pipeline: CachedPipeline): unknown =>
    renderBuild(build, {
      organization: pipeline.organization,
      slug: String(pipeline.row.slug),
      jobs: sql(jobsSql).all(build.id),
      creator: sql(userSql).get(build.creator_id),
      pipeline: pipeline.rendered,
    });

  const insert = (table: string, rows: readonly DatabaseRow[]): void => {
    const names = Object.keys(rows[0] ?? {});
    const statement = sql(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    );
    for (const row of rows) statement.run(...names.map((name) => toSqliteValue(row[name])));
  };

  const createTransaction = database.transaction(
    (creation: Parameters<typeof createdRows>[0], version: unknown): number | undefined => {
      if (
        sql('select 1 from millrace_queues where id = $1 and version = $2').get(creation.queue, version) === undefined
      )
        return undefined;
      const nextNumberSql =
        'insert into millrace_sequences (name, value) values ($1, 1) on conflict (name) do update set value = value + 1 returning value';
      const number = Number(sql(nextNumberSql).get(`build.number/${creation.pipeline.id}`)?.value);
      const { build, jobs } = createdRows(creation, number);
      insert('millrace_builds', [build]);
      insert('millrace_jobs', jobs);
      const { organization_id, pipeline_id, created_at } = build;
      const copied = { record_id: build.id, organization_id, pipeline_id, created_at };
      insert(
        'millrace_builds_meta_data',
        entryDigests(creation.input.meta_data).map((digest) => ({ ...copied, digest })),
      );
      insert('millrace_events', buildEventRows(build, jobs, creation.now));
      return number;
    },
  );

  const cancelTransaction = database.transaction(
    (pipeline: string, number: number, reason: string, now: string): DatabaseRow | undefined => {
      const cancelBuildSql = `update millrace_builds set version = version + 1, state = 'canceled', cancel_reason = $3, finished_at = $4 where pipeline_id = $1 and number = $2 and state in ('scheduled', 'running', 'failing') returning *`;
      const build = sql(cancelBuildSql).get(pipeline, number, reason, now);
      if (build === undefined) return undefined;
      const cancelJobsSql = `update millrace_jobs set version = version + 1, state = 'canceled', finished_at = $2 where build_id = $1 and state in ${unfinishedJobStatesSql} returning *`;
      const jobs = sql(cancelJobsSql).all(build.id, now);
      for (const { id, agent_id } of jobs) {
        if (agent_id === null) continue;
        sql(
          'update millrace_agents set version = version + 1, job_id = null, last_job_finished_at = $3 where id = $1 and job_id = $2',
        ).run(agent_id, id, now);
      }
      insert('millrace_events', buildEventRows(build, jobs, now));
      return build;
    },
  );

  return {
    lookups,
    async read(pipeline, number) {
      const build = sql('select * from millrace_builds where pipeline_id = $1 and number = $2').get(
        pipeline.id,
        number,
      );
      return build && JSON.stringify(renderStoredBuild(build, pipeline));
    },
    async list(pipeline, listQuery) {
      const { sql: conditions, values } = whereConditions(listQuery);
      const total = await lookups.total(countSql(conditions), [pipeline.id, ...values]);
      const page = `select b.* from (${pageSql(conditions, values.length)}) p cross join millrace_builds b on b.id = p.id`;
      const found = sql(page).all(pipeline.id, ...values, (listQuery.page - 1) * perPage);
      const builds = found.slice(0, perPage).map((build) => renderStoredBuild(build, pipeline));
      return { text: JSON.stringify(builds), more: found.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lookups.organization(organization);
      const total = await lookups.total(connectedAgentsSql, [id]);
      const text = `select * from millrace_agents where organization_id = $1 and connection_state = 'connected' order by created_at desc, id desc limit ${perPage + 1} offset $2`;
      const found = sql(text).all(id, (page - 1) * perPage);
      const agents = found.slice(0, perPage).map((agent) => {
        const job = agent.job_id === null ? null : sql('select * from millrace_jobs where id = $1').get(agent.job_id);
        return renderAgent(agent, sql(userSql).get(agent.creator_id), job, organization);
      });
      return { text: JSON.stringify(agents), more: found.length > perPage, total };
    },
    async create(pipeline, input, caller) {
      const queue = await lookups.queue(String(pipeline.row.cluster_id));
      const jobs = (JSON.parse(String(pipeline.row.steps)) as unknown[]).map(() => randomUUID());
      const now = new Date().toISOString();
      const creation = { id: randomUUID(), jobs, pipeline, input, caller, queue: String(queue?.id), now };
      const number = createTransaction.immediate(creation, queue?.version);
      return number === undefined ? undefined : renderCreatedBuild(creation, number);
    },
    async cancel(pipeline, number, caller) {
      const build = cancelTransaction.immediate(
        pipeline.id,
        number,
        `Canceled by ${caller.user.name}`,
        new Date().toISOString(),
      );
      return build && JSON.stringify(renderStoredBuild(build, pipeline));
    },
    close: async () => database.close(),
  };
}

const toSqliteValue = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
