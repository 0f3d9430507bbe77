import { randomBytes } from 'node:crypto';
import { withClient } from '../data/load-postgres.js';

/** A new database on a server, empty at first. */
export interface Database {
  readonly url: string;
  drop(): Promise<void>;
}

export async function freshDatabase(server: string, purpose: string): Promise<Database> {
  const name = `bench_${purpose}_${randomBytes(3).toString('hex')}`;
  await withClient(server, (client) => client.query(`create database ${name} template template0`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await withClient(server, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}
