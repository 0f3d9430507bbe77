import type { Endpoint, Peer } from '../peer.js';
import { lobbyOf } from '../shared/lobby.js';
import { plainHttp } from '../shared/plain-http.js';
import { conditionsOf, connectedSql, countingSql, perPage, type Service } from '../shared/service.js';
import { pageSql } from './hand-tuned.js';
import { withPipeline } from './json-text.js';
import { poolOf } from './pool.js';

export const readEndpoints: readonly Endpoint[] = [
  'one build',
  'list, page 1',
  'list, state + branch',
  'list, far page',
  'list agents',
];

/** The JSON of every build and agent stands ready in a table, and is glued to a page. Who keeps it up to date is not asked. */
export const documents: Peer = {
  about: 'node:http + pg, stored documents',
  database: 'PostgreSQL',
  equal: 'bytes',
  endpoints: readEndpoints,
  start: ({ postgres = '' }) => plainHttp(serviceOn(postgres)),
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

function serviceOn(url: string): Service {
  const pool = poolOf(url);
  const lobby = lobbyOf(pool.objects);
  return {
    lobby,
    async one(pipeline, number) {
      const [row] = await pool.ask('one', oneSql, [pipeline.id, number]);
      return row?.[0] === undefined ? undefined : withPipeline(row[0], pipeline.text);
    },
    async list(pipeline, wanted) {
      const { sql, values } = conditionsOf(wanted);
      const [rows, total] = await Promise.all([
        pool.ask(`list${sql}`, listSql(sql, values.length), [pipeline.id, ...values, (wanted.page - 1) * perPage]),
        lobby.total(countingSql(sql), [pipeline.id, ...values]),
      ]);
      const builds = rows.slice(0, perPage).map(([text = '']) => withPipeline(text, pipeline.text));
      return { text: `[${builds.join(',')}]`, more: rows.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lobby.organization(organization);
      const [rows, total] = await Promise.all([
        pool.ask('agents', agentsSql, [id, (page - 1) * perPage]),
        lobby.total(connectedSql, [id]),
      ]);
      const agents = rows.slice(0, perPage).map(([text]) => text);
      return { text: `[${agents.join(',')}]`, more: rows.length > perPage, total };
    },
    close: () => pool.close(),
  };
}
