import { randomBytes } from 'node:crypto';
import type { Storage } from '../../../core/ports/index.js';
import { knexStorage } from '../storage.js';
import { translated } from './errors.js';
import { placeOf } from './pool.js';

/** Storages that are made to be tried and thrown away. */
export interface Throwaways {
  /** A fresh, empty storage. */
  open(): Promise<Storage>;
  /** Another storage on the tables of the first. */
  again(storage: Storage): Storage;
  /** The schema that the tables of a storage are in. */
  schemaOf(storage: Storage): string;
  /** Removes all that was made. The storages have to be closed. */
  close(): Promise<void>;
}

/** A storage whose tables are in that schema. */
export const inSchema = (connection: string, schema: string): Storage =>
  knexStorage({
    client: 'postgres',
    connection: { connectionString: connection, options: `-c search_path=${schema}` },
    pool: { max: 4 },
  });

/**
 * Storages in a database that may hold anything: each has a schema of its own, which is gone afterwards. The user of the
 * connection has to be allowed to make schemas. Throws `StorageUnavailable` when there is no connection to be had.
 */
export async function throwaways(connection: string): Promise<Throwaways> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: connection });
  // Whoever asks next hears of a connection that was lost.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw translated(error, placeOf(connection));
  });
  const run = `millrace_conformance_${randomBytes(5).toString('hex')}`;
  const schemas = new WeakMap<Storage, string>();
  const made: string[] = [];
  const at = (schema: string): Storage => {
    const storage = inSchema(connection, schema);
    schemas.set(storage, schema);
    return storage;
  };
  return {
    async open() {
      const schema = `${run}_${made.length + 1}`;
      await client.query(`create schema ${schema}`);
      made.push(schema);
      return at(schema);
    },
    again: (storage) => at(schemas.get(storage) ?? 'none'),
    schemaOf: (storage) => schemas.get(storage) ?? 'none',
    async close() {
      await client.query('set synchronous_commit = off');
      // One at a time: a server can only hold so many locks at once.
      for (const schema of made) await client.query(`drop schema ${schema} cascade`);
      await client.end();
    },
  };
}
