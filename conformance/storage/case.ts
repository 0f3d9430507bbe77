import type { Storage } from '../../core/ports/index.js';
import type { Case } from '../case.js';

/** How another process opens the database of a storage. */
export interface OtherProcess {
  /** The URL of a module that exports `at`: a function that opens the storage at a location. */
  readonly module: string;
  /** The location of the database of a storage, which may be closed. */
  locationOf(storage: Storage): string;
}

/** The harness of storage cases. */
export interface StorageHarness {
  /** Opens a prepared, empty storage. The runner closes it after the case. */
  storage(): Promise<Storage>;
  /** Opens a second, prepared storage on the database of the first. For a storage in memory it is empty. */
  reopen(storage: Storage): Promise<Storage>;
  /** Present if the harness declares `restart`. */
  readonly otherProcess?: OtherProcess;
}

/** Capabilities that only some storages or harnesses have. */
export type StorageHarnessCapability =
  /** The harness can open a second storage on the same database. */
  | 'reopen'
  /** The harness can kill another process that writes to the database, and the writes are durable. */
  | 'restart'
  /** Several processes may use the database at the same time. */
  | 'shared';

/** A test of the storage contract. It cites the documentation of the storage port, the specification and the decisions. */
export type StorageCase = Case<StorageHarness>;

/** Declares a case. `needs` lists the capabilities that it needs. */
export const storageCase = (
  id: string,
  cites: readonly string[],
  run: StorageCase['run'],
  needs: readonly StorageHarnessCapability[] = [],
): StorageCase => ({
  id: `storage.${id}`,
  cites: cites.join('; '),
  needs,
  run,
});
