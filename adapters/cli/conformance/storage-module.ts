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
 * Loads a storage module. Its default export, or the export `storage`, is a function that creates a fresh, empty storage.
 * Optional exports: `reopen` opens the database of a storage again; `openAt` and `locationOf` do so by a text, which can be passed
 * to another process. Throws `UsageError` if an export is invalid.
 */
export async function loadStorageModule(path: string): Promise<StorageUnderTest> {
  const moduleExports = await loadModule(path);
  const open = moduleExports.default ?? moduleExports.storage;
  if (typeof open !== 'function') {
    throw new UsageError(
      `${path} must export a function as its default or as storage, which returns a fresh, empty storage`,
    );
  }
  const exportedFunction = <F>(name: string, description: string): F | undefined => {
    if (moduleExports[name] === undefined || typeof moduleExports[name] === 'function')
      return moduleExports[name] as F | undefined;
    throw new UsageError(`${path} exports ${name}, which must be a function ${description}`);
  };
  const reopen = exportedFunction<ReopenStorage>('reopen', 'from a storage to another one on its database');
  const openAt = exportedFunction<(location: string) => Storage>('openAt', 'from a location to the storage there');
  const locationOf = exportedFunction<(storage: Storage) => string>(
    'locationOf',
    'from a storage to the location of its database',
  );
  if ((openAt === undefined) !== (locationOf === undefined))
    throw new UsageError(`${path} must export both openAt and locationOf, or neither`);
  await checkIsStorage(path, open as StorageUnderTest['open']);
  const createStorage = open as StorageUnderTest['open'];
  if (openAt === undefined || locationOf === undefined)
    return { open: createStorage, ...(reopen === undefined ? {} : { reopen }) };
  const otherProcess = { module: moduleUrl(path), locationOf };
  return { open: createStorage, reopen: reopen ?? ((storage) => openAt(locationOf(storage))), otherProcess };
}

type ReopenStorage = NonNullable<StorageUnderTest['reopen']>;

/** Checks that the function returns an object with all methods of a storage. An exception is left to the report of the cases. */
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
    throw new UsageError(`${path} does not return a storage: it lacks ${missingMethods.join(', ')}`);
  await storage?.close?.().catch(() => {});
}
