import type { Storage } from '../../core/ports/index.js';
import type { Case } from '../case.js';

/** How another process gets at the database of a storage. */
export interface OtherProcess {
  /** The URL of a module that exports `at`: a function from a place to the storage there. */
  readonly module: string;
  /** Where the database of a storage is, open or closed. */
  locationOf(storage: Storage): string;
}

/** What a storage case gets to work with. */
export interface StorageHarness {
  /** A storage that is prepared and empty. Whoever made the harness closes it when the case is over. */
  storage(): Promise<Storage>;
  /** A second storage, prepared, on the database of the first: for one in memory, where nothing is shared, an empty one. */
  reopen(storage: Storage): Promise<Storage>;
  /** For those who claim `restart`. */
  readonly otherProcess?: OtherProcess;
}

/** What not every harness, or every storage, can do. */
export type StorageHarnessCapability =
  /** A second storage on the same database. */
  | 'reopen'
  /** Another process can be killed while it writes to the database, and what it has written outlives it. */
  | 'restart'
  /** Several processes may use the database at once. */
  | 'shared';

/** A test of the storage contract. Its clauses are those of the storage port's prose, of the specification and of the decisions. */
export type StorageCase = Case<StorageHarness>;

/** `needs` says what the case says nothing without. */
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
