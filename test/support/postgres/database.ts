import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { sharedServer } from './server.js';

/** A new, empty database. */
export interface Database {
  readonly url: string;
  query(text: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Creates a database on the server of `DATABASE_URL`, or on a local server that all tests share. */
export async function freshDatabase(): Promise<Database> {
  const externalUrl = process.env.DATABASE_URL;
  const server = externalUrl === undefined ? await sharedServer() : undefined;
  const address = externalUrl ?? server?.url ?? '';
  const name = `millrace_test_${randomBytes(6).toString('hex')}`;
  await runQuery(address, `create database ${name} template template0`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text) => runQuery(url.href, text),
    drop: async () => {
      await runQuery(address, `drop database ${name} with (force)`);
      server?.release();
    },
  };
}

/** Runs one statement on a new connection. */
export async function runQuery(address: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
