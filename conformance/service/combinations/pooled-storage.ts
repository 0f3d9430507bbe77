import type { Storage } from '../../../core/index.js';
import { overrideStorage } from '../storage-wrappers.js';

/** A storage that is used again, and how to take out all that is in it. */
export interface PooledStorage {
  readonly storage: Storage;
  clear(): Promise<void>;
}

/** A place that hands out empty storages, and gives all of them back when it is closed. */
export interface StoragePool {
  storage(): Promise<Storage>;
  close(): Promise<void>;
}

/**
 * To make all tables anew takes longer than most cases. So a storage that a case has closed stays open, and the next one who
 * asks gets it, emptied; as many are made as are open at once.
 */
export function createStoragePool(make: (number: number) => Promise<PooledStorage>): StoragePool {
  const all: PooledStorage[] = [];
  const free: PooledStorage[] = [];

  async function acquire(): Promise<PooledStorage> {
    const idle = free.pop();
    if (idle !== undefined) {
      await idle.clear();
      return idle;
    }
    const made = await make(all.length + 1);
    all.push(made);
    return made;
  }

  return {
    async storage() {
      const pooled = await acquire();
      return overrideStorage(pooled.storage, {
        close: async () => {
          free.push(pooled);
        },
      });
    },
    async close() {
      await Promise.all(all.map(({ storage }) => storage.close()));
    },
  };
}
