import { randomBytes } from 'node:crypto';
import type { Storage } from '../../../core/ports/index.js';
import { knexStorage } from '../storage.js';
import { translateError } from './errors.js';
import { locationOf } from './pool.js';

/** Storages for tests, each in a schema that is removed afterwards. */
export interface TemporarySchemas {
  /** A fresh, empty storage. */
  createStorage(): Promise<Storage>;
  /** Another storage on the tables of the first. */
  reopen(storage: Storage): Storage;
  /** The schema that the tables of a storage are in. */
  schemaOf(storage: Storage): string;
  /** Drops all schemas. Close the storages first. */
  close(): Promise<void>;
}

/** A storage whose tables are in that schema. */
export const storageInSchema = (connection: string, schema: string): Storage =>
  knexStorage({
    client: 'postgres',
    connection: { connectionString: connection, options: `-c search_path=${schema}` },
    pool: { max: 4 },
  });

/**
 * Storages in any database: each has a schema of its own, and `close` drops it. The user of the connection needs the
 * privilege to create schemas. Throws `StorageUnavailable` if the connection fails.
 */
export async function temporarySchemas(connection: string): Promise<TemporarySchemas> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: connection });
  // The next query rejects if the connection was lost.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw translateError(error, locationOf(connection));
  });
  const run = `millrace_conformance_${randomBytes(5).toString('hex')}`;
  const schemas = new WeakMap<Storage, string>();
  const made: string[] = [];
  const storageAt = (schema: string): Storage => {
    const storage = storageInSchema(connection, schema);
    schemas.set(storage, schema);
    return storage;
  };
  return {
    async createStorage() {
      const schema = `${run}_${made.length + 1}`;
      await client.query(`create schema ${schema}`);
      made.push(schema);
      return storageAt(schema);
    },
    reopen: (storage) => storageAt(schemas.get(storage) ?? 'none'),
    schemaOf: (storage) => schemas.get(storage) ?? 'none',
    async close() {
      await client.query('set synchronous_commit = off');
      // One at a time: a server can only hold so many locks at once.
      for (const schema of made) await client.query(`drop schema ${schema} cascade`);
      await client.end();
    },
  };
}
