import { randomUUID } from 'node:crypto';
import { entryDigests } from '../../../adapters/knex/schema/entries.js';
import type { Step } from '../../../core/model/index.js';
import { endpoints, type Peer } from '../peer.js';
import { lobbyOf } from '../shared/lobby.js';
import { madeBuild } from '../shared/made-build.js';
import { plainHttp } from '../shared/plain-http.js';
import { conditionsOf, connectedSql, countingSql, perPage, type Service } from '../shared/service.js';
import { cancelSql, createSql } from './changes.js';
import { agentText, buildText, withPipeline } from './json-text.js';
import { poolOf } from './pool.js';

/** One prepared statement for each answer, which PostgreSQL writes as JSON text; changes are one statement as well. */
export const handTuned: Peer = {
  about: 'node:http + pg, SQL by hand that writes the JSON',
  database: 'PostgreSQL',
  equal: 'JSON',
  endpoints,
  start: ({ postgres = '' }) => plainHttp(serviceOn(postgres)),
};

const oneSql = `select ${buildText('b', 'u', '$3::text', '$4::text')} from millrace_builds b left join millrace_users u on u.id = b.creator_id where b.pipeline_id = $1 and b.number = $2`;

/** What stands before the page is passed over in the index alone. */
export const pageSql = (conditions: string, values: number): string =>
  `select id from millrace_builds where pipeline_id = $1${conditions} order by created_at desc nulls last, id desc nulls last limit ${perPage + 1} offset $${values + 2}`;

const listSql = (conditions: string, values: number): string =>
  `select ${buildText('b', 'u', `$${values + 3}::text`, `$${values + 4}::text`)} from (${pageSql(conditions, values)}) p cross join lateral (select * from millrace_builds b where b.id = p.id limit 1) b left join millrace_users u on u.id = b.creator_id order by b.created_at desc, b.id desc`;

const agentsSql = `select ${agentText('a', 'u', '$1::text')} from millrace_agents a left join millrace_users u on u.id = a.creator_id where a.organization_id = $2 and a.connection_state = 'connected' order by a.created_at desc nulls last, a.id desc nulls last limit ${perPage + 1} offset $3`;

function serviceOn(url: string): Service {
  const pool = poolOf(url);
  const lobby = lobbyOf(pool.objects);
  return {
    lobby,
    async one(pipeline, number) {
      const [row] = await pool.ask('one', oneSql, [pipeline.id, number, pipeline.organization, pipeline.row.slug]);
      return row?.[0] === undefined ? undefined : withPipeline(row[0], pipeline.text);
    },
    async list(pipeline, wanted) {
      const { sql, values } = conditionsOf(wanted);
      const offset = (wanted.page - 1) * perPage;
      const [rows, total] = await Promise.all([
        pool.ask(`list${sql}`, listSql(sql, values.length), [
          pipeline.id,
          ...values,
          offset,
          pipeline.organization,
          pipeline.row.slug,
        ]),
        lobby.total(countingSql(sql), [pipeline.id, ...values]),
      ]);
      const builds = rows.slice(0, perPage).map(([text = '']) => withPipeline(text, pipeline.text));
      return { text: `[${builds.join(',')}]`, more: rows.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lobby.organization(organization);
      const [rows, total] = await Promise.all([
        pool.ask('agents', agentsSql, [organization, id, (page - 1) * perPage]),
        lobby.total(connectedSql, [id]),
      ]);
      const agents = rows.slice(0, perPage).map(([text]) => text);
      return { text: `[${agents.join(',')}]`, more: rows.length > perPage, total };
    },
    async create(pipeline, input, caller) {
      const now = new Date().toISOString();
      const steps = JSON.parse(String(pipeline.row.steps)) as readonly Step[];
      const [id = '', ...jobs] = Array.from({ length: steps.length + 1 }, () => randomUUID());
      const queue = await lobby.queue(String(pipeline.row.cluster_id));
      const made = { id, jobs, pipeline, input, caller, queue: String(queue?.id), now };
      const [row] = await pool.ask('create', createSql, [
        id,
        jobs,
        pipeline.id,
        pipeline.organizationId,
        queue?.id,
        queue?.version,
        input.commit,
        input.branch,
        input.message,
        JSON.stringify(input.env),
        JSON.stringify(input.author),
        JSON.stringify(input.meta_data),
        caller.user.id,
        now,
        `build.number/${pipeline.id}`,
        entryDigests(input.meta_data),
        pipeline.row.slug,
        pipeline.row.cluster_id,
        ...stepColumns(steps),
      ]);
      return row === undefined ? undefined : madeBuild(made, Number(row[0]));
    },
    async cancel(pipeline, number, caller) {
      const values = [
        pipeline.id,
        number,
        `Canceled by ${caller.user.name}`,
        new Date().toISOString(),
        pipeline.organization,
        pipeline.row.slug,
      ];
      const [row] = await pool.ask('cancel', cancelSql, values);
      return row?.[0] === undefined ? undefined : withPipeline(row[0], pipeline.text);
    },
    close: () => pool.close(),
  };
}

/** The steps column by column, as `unnest` takes them. */
const stepColumns = (steps: readonly Step[]): unknown[][] => [
  steps.map(({ type }) => type),
  steps.map(({ name }) => name),
  steps.map(({ key }) => key),
  steps.map(({ id }) => id),
  steps.map(({ signature }) => signature && JSON.stringify(signature)),
  steps.map(({ agent_query_rules }) => JSON.stringify(agent_query_rules)),
  steps.map(({ script_path }) => script_path),
  steps.map(({ command }) => command),
  steps.map(({ artifact_paths }) => artifact_paths),
  steps.map(({ soft_fail }) => JSON.stringify(soft_fail)),
  steps.map(({ automatic_retry }) => JSON.stringify(automatic_retry)),
  steps.map(({ continue_on_failure }) => continue_on_failure),
  steps.map(({ timeout_in_minutes }) => timeout_in_minutes),
];
