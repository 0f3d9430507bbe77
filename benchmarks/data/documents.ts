import type pg from 'pg';
import type { Api } from '../../core/index.js';
import { documentTables } from '../peers/postgres/documents.js';
import type { Progress } from '../progress.js';
import { requestText } from '../servers/in-process-request.js';
import type { SqliteFile } from './load-sqlite.js';
import { type OrganizationFixture, pipelineSlug } from './organization.js';

export interface Document {
  readonly id: string;
  readonly number?: number;
  /** The JSON of the response; for a build without its last field, the pipeline. */
  readonly body: string;
}

/** Responses of Millrace for the newest builds of the first pipeline, split into documents. */
export async function* documentsOf(api: Api, builds: number, progress: Progress): AsyncGenerator<Document[]> {
  progress.begin('Documents', builds);
  for (let page = 1; (page - 1) * 100 < builds; page += 1) {
    const text = await requestText(
      api,
      `/v2/organizations/acme/pipelines/${pipelineSlug(0)}/builds?per_page=100&page=${page}`,
    );
    const list = JSON.parse(text) as { id: string; number: number; pipeline?: unknown }[];
    yield list.map(({ pipeline: _, ...build }) => ({
      id: build.id,
      number: build.number,
      body: JSON.stringify(build),
    }));
    progress.update(Math.min(builds, page * 100));
  }
  progress.end();
}

/** Responses of Millrace for all agents, split into documents. */
export async function agentDocuments(api: Api, agents: number): Promise<Document[]> {
  const found: Document[] = [];
  for (let page = 1; found.length < agents; page += 1) {
    const text = await requestText(api, `/v2/organizations/acme/agents?per_page=100&page=${page}`);
    const list = JSON.parse(text) as { id: string }[];
    if (list.length === 0) break;
    found.push(...list.map((agent) => ({ id: agent.id, body: JSON.stringify(agent) })));
  }
  return found;
}

export async function storeDocumentsInPostgres(
  client: pg.Client,
  api: Api,
  fixture: OrganizationFixture,
  builds: number,
  progress: Progress,
): Promise<void> {
  for (const statement of documentTables) await client.query(statement);
  const pipeline = fixture.pipelines[0]?.id;
  for await (const documents of documentsOf(api, builds, progress)) {
    await client.query(
      'insert into build_documents select * from unnest($1::uuid[], array_fill($2::uuid, array[cardinality($1)]), $3::bigint[], $4::text[])',
      [
        documents.map(({ id }) => id),
        pipeline,
        documents.map(({ number }) => number),
        documents.map(({ body }) => body),
      ],
    );
  }
  const agents = await agentDocuments(api, fixture.agents.length);
  await client.query('insert into agent_documents select * from unnest($1::uuid[], $2::text[])', [
    agents.map(({ id }) => id),
    agents.map(({ body }) => body),
  ]);
  await client.query('vacuum (analyze) build_documents, agent_documents');
}

export async function storeDocumentsInSqlite(
  file: SqliteFile,
  api: Api,
  fixture: OrganizationFixture,
  builds: number,
  progress: Progress,
): Promise<void> {
  for (const statement of documentTables) await file.all(statement);
  const pipeline = fixture.pipelines[0]?.id;
  for await (const documents of documentsOf(api, builds, progress)) {
    const cells = `value ->> '$.id', ?2, value ->> '$.number', value ->> '$.body'`;
    await file.all(`insert into build_documents select ${cells} from json_each(?1)`, [
      JSON.stringify(documents),
      pipeline,
    ]);
  }
  const agents = await agentDocuments(api, fixture.agents.length);
  await file.all(`insert into agent_documents select value ->> '$.id', value ->> '$.body' from json_each(?)`, [
    JSON.stringify(agents),
  ]);
  await file.all('analyze');
  await file.all('pragma wal_checkpoint(truncate)');
}
