import type { Endpoint, Peer } from '../peer.js';
import { createLookups } from '../shared/lookups.js';
import { startPlainHttp } from '../shared/plain-http-server.js';
import { connectedAgentsSql, countSql, perPage, type Service, whereConditions } from '../shared/service.js';
import { pageSql } from './hand-tuned.js';
import { withPipeline } from './json-sql.js';
import { createPool } from './pool.js';

export const readEndpoints: readonly Endpoint[] = [
  'one build',
  'list, page 1',
  'list, state + branch',
  'list, far page',
  'list agents',
];

/** A table has the JSON of every build and agent; a page is put together from it. Nothing keeps that table up to date. */
export const documents: Peer = {
  description: 'node:http + pg, stored documents',
  database: 'PostgreSQL',
  equality: 'bytes',
  endpoints: readEndpoints,
  start: ({ postgres = '' }) => startPlainHttp(createService(postgres)),
};

export const documentTables = [
  'create table build_documents (id uuid primary key, pipeline_id uuid not null, number bigint not null, body text not null)',
  'create unique index build_documents_number on build_documents (pipeline_id, number)',
  'create table agent_documents (id uuid primary key, body text not null)',
];

const oneSql = 'select body from build_documents where pipeline_id = $1 and number = $2';
const listSql = (conditions: string, values: number): string =>
  `select d.body from (${pageSql(conditions, values)}) p cross join lateral (select body from build_documents d where d.id = p.id limit 1) d`;
const agentsSql = `select d.body from millrace_agents a join agent_documents d on d.id = a.id where a.organization_id = $1 and a.connection_state = 'connected' order by a.created_at desc nulls last, a.id desc nulls last limit ${perPage + 1} offset $2`;

function createService(url: string): Service {
  const pool = createPool(url);
  const lookups = createLookups(pool.queryObjects);
  return {
    lookups,
    async read(pipeline, number) {
      const [row] = await pool.query('one', oneSql, [pipeline.id, number]);
      return row?.[0] === undefined ? undefined : withPipeline(row[0], pipeline.json);
    },
    async list(pipeline, listQuery) {
      const { sql, values } = whereConditions(listQuery);
      const [rows, total] = await Promise.all([
        pool.query(`list${sql}`, listSql(sql, values.length), [pipeline.id, ...values, (listQuery.page - 1) * perPage]),
        lookups.total(countSql(sql), [pipeline.id, ...values]),
      ]);
      const builds = rows.slice(0, perPage).map(([text = '']) => withPipeline(text, pipeline.json));
      return { text: `[${builds.join(',')}]`, more: rows.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lookups.organization(organization);
      const [rows, total] = await Promise.all([
        pool.query('agents', agentsSql, [id, (page - 1) * perPage]),
        lookups.total(connectedAgentsSql, [id]),
      ]);
      const agents = rows.slice(0, perPage).map(([text]) => text);
      return { text: `[${agents.join(',')}]`, more: rows.length > perPage, total };
    },
    close: () => pool.close(),
  };
}
