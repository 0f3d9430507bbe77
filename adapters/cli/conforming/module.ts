import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StorageUnderTest } from '../../../conformance/runner/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { Complaint } from '../complaint.js';

const verbs = ['prepare', 'find', 'load', 'select', 'commit', 'next', 'events', 'forgetEvents', 'close'] as const;

/**
 * The storage that a module gives: its default export, or the one called `storage`, is a function that makes fresh, empty
 * storages, and `again`, if there is one, opens the database of a storage once more. What is wrong with it is a complaint.
 */
export async function storageOfModule(path: string): Promise<StorageUnderTest> {
  const file = resolve(path);
  if (!existsSync(file)) throw new Complaint(`There is no module ${path}`);
  const given = await loaded(path, file);
  const open = given.default ?? given.storage;
  if (typeof open !== 'function') {
    throw new Complaint(
      `${path} must export a function as its default or as storage, which makes a fresh, empty storage`,
    );
  }
  const { again } = given;
  if (again !== undefined && typeof again !== 'function') {
    throw new Complaint(
      `${path} exports again, which must be a function from a storage to another one on its database`,
    );
  }
  await looksLikeOne(path, open as StorageUnderTest['open']);
  return { open, ...(again === undefined ? {} : { again }) } as StorageUnderTest;
}

async function loaded(path: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const [line] = String(error).split('\n', 1);
    throw new Complaint(`${path} cannot be loaded: ${line}`);
  }
}

/** That what it makes has the methods of a storage; that it cannot make any is the business of the report. */
async function looksLikeOne(path: string, open: StorageUnderTest['open']): Promise<void> {
  let storage: Partial<Storage> | undefined;
  try {
    storage = await open();
  } catch {
    return;
  }
  const lacking = verbs.filter((verb) => typeof storage?.[verb] !== 'function');
  if (typeof storage?.claims !== 'object') lacking.unshift('claims' as never);
  if (lacking.length > 0)
    throw new Complaint(`${path} makes something that is no storage: it has no ${lacking.join(', ')}`);
  await storage?.close?.().catch(() => {});
}
