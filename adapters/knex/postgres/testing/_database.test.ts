import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { sharedServer } from './_server.test.js';

/** An empty database of its own. */
export interface Database {
  readonly url: string;
  query(text: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Makes a database on the server of `DATABASE_URL`, or on one of our own that all tests share. */
export async function freshDatabase(): Promise<Database> {
  const given = process.env.DATABASE_URL;
  const server = given === undefined ? await sharedServer() : undefined;
  const address = given ?? server?.url ?? '';
  const name = `millrace_test_${randomBytes(6).toString('hex')}`;
  await asked(address, `create database ${name} template template0`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text) => asked(url.href, text),
    drop: async () => {
      await asked(address, `drop database ${name} with (force)`);
      server?.release();
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function asked(address: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
