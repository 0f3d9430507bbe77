import type { Storage } from '../../core/ports/index.js';
import type { Case } from '../case.js';

/** What a storage case gets to work with. */
export interface StorageHarness {
  /** A storage that is prepared and empty. Whoever made the harness closes it when the case is over. */
  storage(): Promise<Storage>;
  /** A second storage, prepared, on the database of the first: for one in memory, where nothing is shared, an empty one. */
  again(storage: Storage): Promise<Storage>;
}

/** A test of the storage contract. Its clauses are those of the storage port's prose, of the specification and of the decisions. */
export type StorageCase = Case<StorageHarness>;

/** `needs: ['again']` says that a second storage on the same database has to be there. */
export const storageCase = (
  id: string,
  cites: readonly string[],
  run: StorageCase['run'],
  needs: readonly 'again'[] = [],
): StorageCase => ({
  id: `storage.${id}`,
  cites: cites.join('; '),
  needs,
  run,
});
