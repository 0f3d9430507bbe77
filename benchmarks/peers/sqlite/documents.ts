import type { Peer } from '../peer.js';
import { readEndpoints } from '../postgres/documents.js';
import { withPipeline } from '../postgres/json-sql.js';
import { createLookups } from '../shared/lookups.js';
import { startPlainHttp } from '../shared/plain-http-server.js';
import { connectedAgentsSql, countSql, perPage, type Service, whereConditions } from '../shared/service.js';
import { type BetterSqlite, openBetterSqlite, statementCache } from './better-sqlite.js';
import { pageSql } from './hand-tuned.js';

/** A table has the JSON of every build and agent; a page is put together from it. */
export const documentsSqlite: Peer = {
  description: 'node:http + better-sqlite3, stored documents',
  database: 'SQLite',
  equality: 'bytes',
  endpoints: readEndpoints,
  start: async ({ sqlite = '' }) => startPlainHttp(createService(await openBetterSqlite(sqlite))),
};

function createService(database: BetterSqlite): Service {
  const sql = statementCache(database);
  const lookups = createLookups(async (text, values) => sql(text).all(...values));
  return {
    lookups,
    async read(pipeline, number) {
      const found = sql('select body from build_documents where pipeline_id = $1 and number = $2').get(
        pipeline.id,
        number,
      );
      return found && withPipeline(String(found.body), pipeline.json);
    },
    async list(pipeline, listQuery) {
      const { sql: conditions, values } = whereConditions(listQuery);
      const total = await lookups.total(countSql(conditions), [pipeline.id, ...values]);
      const page = `select d.body from (${pageSql(conditions, values.length)}) p cross join build_documents d on d.id = p.id`;
      const found = sql(page).all(pipeline.id, ...values, (listQuery.page - 1) * perPage);
      const builds = found.slice(0, perPage).map(({ body }) => withPipeline(String(body), pipeline.json));
      return { text: `[${builds.join(',')}]`, more: found.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lookups.organization(organization);
      const total = await lookups.total(connectedAgentsSql, [id]);
      const text = `select d.body from millrace_agents a cross join agent_documents d on d.id = a.id where a.organization_id = $1 and a.connection_state = 'connected' order by a.created_at desc, a.id desc limit ${perPage + 1} offset $2`;
      const found = sql(text).all(id, (page - 1) * perPage);
      return {
        text: `[${found
          .slice(0, perPage)
          .map(({ body }) => body)
          .join(',')}]`,
        more: found.length > perPage,
        total,
      };
    },
    close: async () => database.close(),
  };
}
