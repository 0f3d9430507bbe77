import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageUnderTest } from '../../../conformance/runner/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { Complaint } from '../complaint.js';
import { complaining } from '../storage.js';
import { namesModule } from './loaded.js';
import { storageOfModule } from './module.js';

/** A storage to be tested, and how to remove what the test leaves behind. */
export interface StorageSubject {
  readonly under: StorageUnderTest;
  close(): Promise<void>;
}

export const storageNames = 'memory, sqlite, postgres://… or a path to a module such as ./my-storage.js';

/** Reads `--storage`. */
export async function storageSubject(text: string): Promise<StorageSubject> {
  if (text === 'memory') {
    const { memoryStorage } = await import('../../memory/index.js');
    return { under: { open: () => memoryStorage() }, close: async () => {} };
  }
  if (text === 'sqlite') return sqliteFiles();
  if (/^postgres(ql)?:\/\//.test(text)) return postgresSchemas(text);
  if (namesModule(text)) return { under: await storageOfModule(text), close: async () => {} };
  throw new Complaint(`--storage must be ${storageNames}, not ${JSON.stringify(text)}`);
}

/** The module by which another process gets at a storage of ours. */
const placesOf = (kind: 'sqlite' | 'postgres'): string => new URL(`./places/${kind}.js`, import.meta.url).href;

/** A file for each storage, in a directory that is gone afterwards. */
async function sqliteFiles(): Promise<StorageSubject> {
  const { knexStorage } = await import('../../knex/index.js');
  const directory = await mkdtemp(join(tmpdir(), 'millrace-conformance-'));
  const files = new WeakMap<Storage, string>();
  let made = 0;
  const at = (filename: string) => {
    const storage = knexStorage({ client: 'sqlite', filename });
    files.set(storage, filename);
    return storage;
  };
  return {
    under: {
      open: () => at(join(directory, `${++made}.db`)),
      again: (storage) => at(files.get(storage) ?? ''),
      elsewhere: { module: placesOf('sqlite'), placeOf: (storage) => files.get(storage) ?? '' },
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A schema for each storage, gone afterwards. */
async function postgresSchemas(connection: string): Promise<StorageSubject> {
  const { throwaways } = await import('../../knex/postgres/throwaway.js');
  const made = await complaining(() => throwaways(connection));
  const placeOf = (storage: Storage) => JSON.stringify({ connection, schema: made.schemaOf(storage) });
  const under = {
    open: made.open,
    again: made.again,
    elsewhere: { module: placesOf('postgres'), placeOf },
  };
  return { under, close: made.close };
}
