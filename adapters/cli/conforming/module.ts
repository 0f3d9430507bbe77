import type { StorageUnderTest } from '../../../conformance/runner/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { Complaint } from '../complaint.js';
import { loaded, urlOf } from './loaded.js';

const verbs = [
  'prepare',
  'find',
  'load',
  'select',
  'count',
  'commit',
  'next',
  'events',
  'forgetEvents',
  'close',
] as const;

/**
 * The storage that a module gives: its default export, or the one called `storage`, is a function that makes fresh, empty
 * storages. `again`, if there is one, opens the database of a storage once more; `at` and `placeOf`, if there are, do so by a text,
 * which another process can be told. What is wrong with it is a complaint.
 */
export async function storageOfModule(path: string): Promise<StorageUnderTest> {
  const given = await loaded(path);
  const open = given.default ?? given.storage;
  if (typeof open !== 'function') {
    throw new Complaint(
      `${path} must export a function as its default or as storage, which makes a fresh, empty storage`,
    );
  }
  const exported = <F>(name: string, what: string): F | undefined => {
    if (given[name] === undefined || typeof given[name] === 'function') return given[name] as F | undefined;
    throw new Complaint(`${path} exports ${name}, which must be a function ${what}`);
  };
  const again = exported<Again>('again', 'from a storage to another one on its database');
  const at = exported<(place: string) => Storage>('at', 'from a place to the storage there');
  const placeOf = exported<(storage: Storage) => string>('placeOf', 'from a storage to the place of its database');
  if ((at === undefined) !== (placeOf === undefined))
    throw new Complaint(`${path} must export both of at and placeOf, or none of them`);
  await looksLikeOne(path, open as StorageUnderTest['open']);
  const make = open as StorageUnderTest['open'];
  if (at === undefined || placeOf === undefined) return { open: make, ...(again === undefined ? {} : { again }) };
  const elsewhere = { module: urlOf(path), placeOf };
  return { open: make, again: again ?? ((storage) => at(placeOf(storage))), elsewhere };
}

type Again = NonNullable<StorageUnderTest['again']>;

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
