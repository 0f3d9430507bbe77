import type { StorageUnderTest } from '../../../conformance/runner/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { UsageError } from '../usage-error.js';
import { loadModule, moduleUrl } from './load-module.js';

const storageMethods = [
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
export async function loadStorageModule(path: string): Promise<StorageUnderTest> {
  const moduleExports = await loadModule(path);
  const open = moduleExports.default ?? moduleExports.storage;
  if (typeof open !== 'function') {
    throw new UsageError(
      `${path} must export a function as its default or as storage, which makes a fresh, empty storage`,
    );
  }
  const exportedFunction = <F>(name: string, what: string): F | undefined => {
    if (moduleExports[name] === undefined || typeof moduleExports[name] === 'function')
      return moduleExports[name] as F | undefined;
    throw new UsageError(`${path} exports ${name}, which must be a function ${what}`);
  };
  const reopen = exportedFunction<ReopenStorage>('reopen', 'from a storage to another one on its database');
  const openAt = exportedFunction<(location: string) => Storage>('openAt', 'from a location to the storage there');
  const locationOf = exportedFunction<(storage: Storage) => string>(
    'locationOf',
    'from a storage to the location of its database',
  );
  if ((openAt === undefined) !== (locationOf === undefined))
    throw new UsageError(`${path} must export both of openAt and locationOf, or none of them`);
  await checkIsStorage(path, open as StorageUnderTest['open']);
  const make = open as StorageUnderTest['open'];
  if (openAt === undefined || locationOf === undefined)
    return { open: make, ...(reopen === undefined ? {} : { reopen }) };
  const otherProcess = { module: moduleUrl(path), locationOf };
  return { open: make, reopen: reopen ?? ((storage) => openAt(locationOf(storage))), otherProcess };
}

type ReopenStorage = NonNullable<StorageUnderTest['reopen']>;

/** That what it makes has the methods of a storage; that it cannot make any is the business of the report. */
async function checkIsStorage(path: string, open: StorageUnderTest['open']): Promise<void> {
  let storage: Partial<Storage> | undefined;
  try {
    storage = await open();
  } catch {
    return;
  }
  const missingMethods = storageMethods.filter((verb) => typeof storage?.[verb] !== 'function');
  if (typeof storage?.capabilities !== 'object') missingMethods.unshift('capabilities' as never);
  if (missingMethods.length > 0)
    throw new UsageError(`${path} makes something that is no storage: it has no ${missingMethods.join(', ')}`);
  await storage?.close?.().catch(() => {});
}
