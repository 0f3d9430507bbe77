import type { Peer } from '../peer.js';
import { readEndpoints } from '../postgres/documents.js';
import { withPipeline } from '../postgres/json-text.js';
import { lobbyOf } from '../shared/lobby.js';
import { plainHttp } from '../shared/plain-http.js';
import { conditionsOf, connectedSql, countingSql, perPage, type Service } from '../shared/service.js';
import { type BetterSqlite, openBetter, preparing } from './better.js';
import { pageSql } from './hand-tuned.js';

/** The JSON of every build and agent stands ready in a table, and is glued to a page. */
export const documentsSqlite: Peer = {
  about: 'node:http + better-sqlite3, stored documents',
  database: 'SQLite',
  equal: 'bytes',
  endpoints: readEndpoints,
  start: async ({ sqlite = '' }) => plainHttp(serviceOn(await openBetter(sqlite))),
};

function serviceOn(database: BetterSqlite): Service {
  const sql = preparing(database);
  const lobby = lobbyOf(async (text, values) => sql(text).all(...values));
  return {
    lobby,
    async one(pipeline, number) {
      const found = sql('select body from build_documents where pipeline_id = $1 and number = $2').get(
        pipeline.id,
        number,
      );
      return found && withPipeline(String(found.body), pipeline.text);
    },
    async list(pipeline, wanted) {
      const { sql: conditions, values } = conditionsOf(wanted);
      const total = await lobby.total(countingSql(conditions), [pipeline.id, ...values]);
      const page = `select d.body from (${pageSql(conditions, values.length)}) p cross join build_documents d on d.id = p.id`;
      const found = sql(page).all(pipeline.id, ...values, (wanted.page - 1) * perPage);
      const builds = found.slice(0, perPage).map(({ body }) => withPipeline(String(body), pipeline.text));
      return { text: `[${builds.join(',')}]`, more: found.length > perPage, total };
    },
    async agents(organization, page) {
      const id = await lobby.organization(organization);
      const total = await lobby.total(connectedSql, [id]);
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
