import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageUnderTest } from '../../../conformance/runner/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { Complaint } from '../complaint.js';
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
  if (/^postgres(ql)?:\/\//.test(text)) return postgresTables(text);
  if (/^\.{0,2}\/|\.[cm]?[jt]s$/.test(text)) return { under: await storageOfModule(text), close: async () => {} };
  throw new Complaint(`--storage must be ${storageNames}, not ${JSON.stringify(text)}`);
}

/** A file for each storage, in a directory that is gone afterwards. */
async function sqliteFiles(): Promise<StorageSubject> {
  const { knexStorage } = await import('../../knex/index.js');
  const directory = await mkdtemp(join(tmpdir(), 'millrace-conformance-'));
  return {
    under: separate((name) => knexStorage({ client: 'sqlite', filename: join(directory, `${name}.db`) })),
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A schema for the run, with tables of its own for each storage; the schema is gone afterwards. */
async function postgresTables(connection: string): Promise<StorageSubject> {
  throw new Complaint(`--storage ${connection} is not there yet`);
}

/** Storages in places of their own, by name; `again` opens the same place once more. */
function separate(at: (name: string) => Storage): StorageUnderTest {
  const names = new WeakMap<Storage, string>();
  let made = 0;
  const open = (name: string) => {
    const storage = at(name);
    names.set(storage, name);
    return storage;
  };
  return { open: () => open(`t${++made}_`), again: (storage) => open(names.get(storage) ?? '') };
}
