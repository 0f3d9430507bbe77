import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageUnderTest } from '../../../conformance/runner/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { withStorageUsageErrors } from '../storage.js';
import { UsageError } from '../usage-error.js';
import { isModulePath } from './load-module.js';
import { loadStorageModule } from './storage-module.js';

/** A storage to test, and a function that removes its files or schemas. */
export interface StorageTarget {
  readonly storageUnderTest: StorageUnderTest;
  close(): Promise<void>;
}

export const storageHelp = 'memory, sqlite, postgres://… or a path to a module such as ./my-storage.js';

/** Parses `--storage` and opens what it names. */
export async function createStorageTarget(text: string): Promise<StorageTarget> {
  if (text === 'memory') {
    const { memoryStorage } = await import('../../memory/index.js');
    return { storageUnderTest: { open: () => memoryStorage() }, close: async () => {} };
  }
  if (text === 'sqlite') return sqliteFiles();
  if (/^postgres(ql)?:\/\//.test(text)) return postgresSchemas(text);
  if (isModulePath(text)) return { storageUnderTest: await loadStorageModule(text), close: async () => {} };
  throw new UsageError(`--storage must be ${storageHelp}, not ${JSON.stringify(text)}`);
}

/** The module by which another process opens one of our storages. */
const locationModule = (kind: 'sqlite' | 'postgres'): string => new URL(`./locations/${kind}.js`, import.meta.url).href;

/** A file for each storage, in a temporary directory. */
async function sqliteFiles(): Promise<StorageTarget> {
  const { knexStorage } = await import('../../knex/index.js');
  const directory = await mkdtemp(join(tmpdir(), 'millrace-conformance-'));
  const filenames = new WeakMap<Storage, string>();
  let fileCount = 0;
  const openFile = (filename: string) => {
    const storage = knexStorage({ client: 'sqlite', filename });
    filenames.set(storage, filename);
    return storage;
  };
  return {
    storageUnderTest: {
      open: () => openFile(join(directory, `${++fileCount}.db`)),
      reopen: (storage) => openFile(filenames.get(storage) ?? ''),
      otherProcess: { module: locationModule('sqlite'), locationOf: (storage) => filenames.get(storage) ?? '' },
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A temporary schema for each storage. */
async function postgresSchemas(connection: string): Promise<StorageTarget> {
  const { temporarySchemas } = await import('../../knex/postgres/temporary-schemas.js');
  const schemas = await withStorageUsageErrors(() => temporarySchemas(connection));
  const locationOf = (storage: Storage) => JSON.stringify({ connection, schema: schemas.schemaOf(storage) });
  const storageUnderTest = {
    open: schemas.createStorage,
    reopen: schemas.reopen,
    otherProcess: { module: locationModule('postgres'), locationOf },
  };
  return { storageUnderTest, close: schemas.close };
}
