import pg from 'pg';
import { physicalName } from '../../adapters/knex/identifiers.js';
import { knexStorage, recountStatements } from '../../adapters/knex/index.js';
import type { Progress } from '../progress.js';
import type { OrganizationFixture } from './organization.js';
import { rowBatches } from './row-batches.js';
import { type Size, totalBuilds } from './size.js';

export const standardPrefix = 'millrace_';

/** Creates the schema of the storage in an empty database and inserts the data. Indexes are created after the rows. */
export async function loadPostgres(
  url: string,
  size: Size,
  fixture: OrganizationFixture,
  progress: Progress,
): Promise<void> {
  const storage = knexStorage({ client: 'postgres', connection: url });
  await storage.prepare();
  await storage.close();
  await withClient(url, async (client) => {
    const rebuild = await dropIndexes(client);
    let done = 0;
    progress.begin('PostgreSQL', totalBuilds(size));
    for (const { table, rows } of rowBatches(size, fixture)) {
      const name = `"${physicalName(standardPrefix, table)}"`;
      const text = `insert into ${name} select * from json_populate_recordset(null::${name}, $1)`;
      await client.query(text, [JSON.stringify(rows)]);
      if (table === 'builds') done += rows.length;
      progress.update(done);
    }
    progress.end();
    await rebuild();
    for (const statement of recountStatements('postgres', standardPrefix)) await client.query(statement);
    await client.query('vacuum (analyze)');
  });
}

/** Drops all indexes except those of primary keys. The returned function creates them again. */
export async function dropIndexes(client: pg.Client, prefix = standardPrefix): Promise<() => Promise<void>> {
  const text = `select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename like '${prefix}%' and indexname not like '%_pkey'`;
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(text);
  for (const { indexname } of rows) await client.query(`drop index "${indexname}"`);
  return async () => {
    for (const { indexdef } of rows) await client.query(indexdef);
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
