import { randomUUID } from 'node:crypto';
import { entryDigests } from '../../../adapters/knex/schema/entries.js';
import { endpoints, type Peer } from '../peer.js';
import { type KnownPipeline, lobbyOf } from '../shared/lobby.js';
import { eventsOf, madeBuild, rowsOf } from '../shared/made-build.js';
import { plainHttp } from '../shared/plain-http.js';
import { presentAgent, presentBuild } from '../shared/present.js';
import { conditionsOf, connectedSql, countingSql, perPage, type Service } from '../shared/service.js';
import { unfinishedList } from '../shared/unfinished.js';
import { type BetterSqlite, openBetter, preparing } from './better.js';

type Cells = Record<string, unknown>;

/** better-sqlite3 without a thread in between: prepared statements, rows by index, and the JSON written by JavaScript. */
export const handTunedSqlite: Peer = {
  about: 'node:http + better-sqlite3, SQL by hand',
  database: 'SQLite',
  equal: 'JSON',
  endpoints,
  start: async ({ sqlite = '' }) => plainHttp(serviceOn(await openBetter(sqlite))),
};

const jobsSql = 'select * from millrace_jobs where build_id = $1 and retried = 0 order by position, created_at, id';
const userSql = 'select * from millrace_users where id = $1';

export const pageSql = (conditions: string, values: number): string =>
  `select id from millrace_builds where pipeline_id = $1${conditions} order by created_at desc, id desc limit ${perPage + 1} offset $${values + 2}`;

function serviceOn(database: BetterSqlite): Service {
  const sql = preparing(database);
  const lobby = lobbyOf(async (text, values) => sql(text).all(...values));

  const shown = (build: Cells, pipeline: KnownPipeline): unknown =>
    presentBuild(build, {
      organization: pipeline.organization,
      slug: String(pipeline.row.slug),
      jobs: sql(jobsSql).all(build.id),
      creator: sql(userSql).get(build.creator_id),
      pipeline: pipeline.shown,
    });

  const insert = (table: string, rows: readonly Cells[]): void => {
    const names = Object.keys(rows[0] ?? {});
    const statement = sql(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, place) => `$${place + 1}`).join(', ')})`,
    );
    for (const row of rows) statement.run(...names.map((name) => cell(row[name])));
  };

  const creating = database.transaction((from: Parameters<typeof rowsOf>[0], version: unknown): number | undefined => {
    if (sql('select 1 from millrace_queues where id = $1 and version = $2').get(from.queue, version) === undefined)
      return undefined;
    const numbered =
      'insert into millrace_sequences (name, value) values ($1, 1) on conflict (name) do update set value = value + 1 returning value';
    const number = Number(sql(numbered).get(`build.number/${from.pipeline.id}`)?.value);
    const { build, jobs } = rowsOf(from, number);
    insert('millrace_builds', [build]);
    insert('millrace_jobs', jobs);
    const { organization_id, pipeline_id, created_at } = build;
    const copied = { record_id: build.id, organization_id, pipeline_id, created_at };
    insert(
      'millrace_builds_meta_data',
      entryDigests(from.input.meta_data).map((digest) => ({ ...copied, digest })),
    );
    insert('millrace_events', eventsOf(build, jobs, from.now));
    return number;
  });

  const canceling = database.transaction(
    (pipeline: string, number: number, reason: string, now: string): Cells | undefined => {
      const canceled = `update millrace_builds set version = version + 1, state = 'canceled', cancel_reason = $3, finished_at = $4 where pipeline_id = $1 and number = $2 and state in ('scheduled', 'running', 'failing') returning *`;
      const build = sql(canceled).get(pipeline, number, reason, now);
      if (build === undefined) return undefined;
      const ended = `update millrace_jobs set version = version + 1, state = 'canceled', finished_at = $2 where build_id = $1 and state in ${unfinishedList} returning *`;
      const jobs = sql(ended).all(build.id, now);
      for (const { id, agent_id } of jobs) {
        if (agent_id === null) continue;
        sql(
          'update millrace_agents set version = version + 1, job_id = null, last_job_finished_at = $3 where id = $1 and job_id = $2',
        ).run(agent_id, id, now);
      }
      insert('millrace_events', eventsOf(build, jobs, now));
      return build;
    },
  );

  return {
    lobby,
    async one(pipeline, number) {
      const build = sql('select * from millrace_builds where pipeline_id = $1 and number = $2').get(
        pipeline.id,
        number,
      );
      return build && JSON.stringify(shown(build, pipeline));
    },
    async list(pipeline, wanted) {
      const { sql: conditions, values } = conditionsOf(wanted);
      const total = await lobby.total(countingSql(conditions), [pipeline.id, ...values]);
      const page = `select b.* from (${pageSql(conditions, values.length)}) p cross join millrace_builds b on b.id = p.id`;
      const found = sql(page).all(pipeline.id, ...values, (wanted.page - 1) * perPage);
      const builds = found.slice(0, perPage).map((build) => shown(build, pipeline));
      return { text: JSON.stringify(builds), more: found.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lobby.organization(organization);
      const total = await lobby.total(connectedSql, [id]);
      const text = `select * from millrace_agents where organization_id = $1 and connection_state = 'connected' order by created_at desc, id desc limit ${perPage + 1} offset $2`;
      const found = sql(text).all(id, (page - 1) * perPage);
      const agents = found.slice(0, perPage).map((agent) => {
        const job = agent.job_id === null ? null : sql('select * from millrace_jobs where id = $1').get(agent.job_id);
        return presentAgent(agent, sql(userSql).get(agent.creator_id), job, organization);
      });
      return { text: JSON.stringify(agents), more: found.length > perPage, total };
    },
    async create(pipeline, input, caller) {
      const queue = await lobby.queue(String(pipeline.row.cluster_id));
      const jobs = (JSON.parse(String(pipeline.row.steps)) as unknown[]).map(() => randomUUID());
      const now = new Date().toISOString();
      const from = { id: randomUUID(), jobs, pipeline, input, caller, queue: String(queue?.id), now };
      const number = creating.immediate(from, queue?.version);
      return number === undefined ? undefined : madeBuild(from, number);
    },
    async cancel(pipeline, number, caller) {
      const build = canceling.immediate(
        pipeline.id,
        number,
        `Canceled by ${caller.user.name}`,
        new Date().toISOString(),
      );
      return build && JSON.stringify(shown(build, pipeline));
    },
    close: async () => database.close(),
  };
}

const cell = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
