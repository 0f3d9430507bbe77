import { randomUUID } from 'node:crypto';
import { entryDigests } from '../../../adapters/knex/schema/entries-tables.js';
import type { Step } from '../../../core/model/index.js';
import { endpoints, type Peer } from '../peer.js';
import { renderCreatedBuild } from '../shared/created-build.js';
import { createLookups } from '../shared/lookups.js';
import { startPlainHttp } from '../shared/plain-http-server.js';
import { connectedAgentsSql, countSql, perPage, type Service, whereConditions } from '../shared/service.js';
import { agentJson, buildJson, withPipeline } from './json-sql.js';
import { createPool } from './pool.js';
import { cancelSql, createSql } from './write-statements.js';

/** One prepared statement per response, in which PostgreSQL writes the JSON text. Changes are one statement too. */
export const handTuned: Peer = {
  description: 'node:http + pg, hand-tuned SQL that writes the JSON',
  database: 'PostgreSQL',
  equality: 'JSON',
  endpoints,
  start: ({ postgres = '' }) => startPlainHttp(createService(postgres)),
};

const oneSql = `select ${buildJson('b', 'u', '$3::text', '$4::text')} from millrace_builds b left join millrace_users u on u.id = b.creator_id where b.pipeline_id = $1 and b.number = $2`;

/** The rows before the page are skipped in the index, without reading the table. */
export const pageSql = (conditions: string, values: number): string =>
  `select id from millrace_builds where pipeline_id = $1${conditions} order by created_at desc nulls last, id desc nulls last limit ${perPage + 1} offset $${values + 2}`;

const listSql = (conditions: string, values: number): string =>
  `select ${buildJson('b', 'u', `$${values + 3}::text`, `$${values + 4}::text`)} from (${pageSql(conditions, values)}) p cross join lateral (select * from millrace_builds b where b.id = p.id limit 1) b left join millrace_users u on u.id = b.creator_id order by b.created_at desc, b.id desc`;

const agentsSql = `select ${agentJson('a', 'u', '$1::text')} from millrace_agents a left join millrace_users u on u.id = a.creator_id where a.organization_id = $2 and a.connection_state = 'connected' order by a.created_at desc nulls last, a.id desc nulls last limit ${perPage + 1} offset $3`;

function createService(url: string): Service {
  const pool = createPool(url);
  const lookups = createLookups(pool.queryObjects);
  return {
    lookups,
    async read(pipeline, number) {
      const [row] = await pool.query('one', oneSql, [pipeline.id, number, pipeline.organization, pipeline.row.slug]);
      return row?.[0] === undefined ? undefined : withPipeline(row[0], pipeline.json);
    },
    async list(pipeline, listQuery) {
      const { sql, values } = whereConditions(listQuery);
      const offset = (listQuery.page - 1) * perPage;
      const [rows, total] = await Promise.all([
        pool.query(`list${sql}`, listSql(sql, values.length), [
          pipeline.id,
          ...values,
          offset,
          pipeline.organization,
          pipeline.row.slug,
        ]),
        lookups.total(countSql(sql), [pipeline.id, ...values]),
      ]);
      const builds = rows.slice(0, perPage).map(([text = '']) => withPipeline(text, pipeline.json));
      return { text: `[${builds.join(',')}]`, more: rows.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lookups.organization(organization);
      const [rows, total] = await Promise.all([
        pool.query('agents', agentsSql, [organization, id, (page - 1) * perPage]),
        lookups.total(connectedAgentsSql, [id]),
      ]);
      const agents = rows.slice(0, perPage).map(([text]) => text);
      return { text: `[${agents.join(',')}]`, more: rows.length > perPage, total };
    },
    async create(pipeline, input, caller) {
      const now = new Date().toISOString();
      const steps = JSON.parse(String(pipeline.row.steps)) as readonly Step[];
      const [id = '', ...jobs] = Array.from({ length: steps.length + 1 }, () => randomUUID());
      const queue = await lookups.queue(String(pipeline.row.cluster_id));
      const creation = { id, jobs, pipeline, input, caller, queue: String(queue?.id), now };
      const [row] = await pool.query('create', createSql, [
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
      return row === undefined ? undefined : renderCreatedBuild(creation, Number(row[0]));
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
      const [row] = await pool.query('cancel', cancelSql, values);
      return row?.[0] === undefined ? undefined : withPipeline(row[0], pipeline.json);
    },
    close: () => pool.close(),
  };
}

/** The steps as one array per column, for `unnest`. */
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
