import type { Storage } from '../../../core/index.js';
import { over } from '../storages.js';

/** A storage that is used again, and how to take out all that is in it. */
export interface Kept {
  readonly storage: Storage;
  empty(): Promise<void>;
}

/** A place that hands out empty storages, and gives all of them back when it is closed. */
export interface Room {
  storage(): Promise<Storage>;
  close(): Promise<void>;
}

/**
 * To make all tables anew takes longer than most cases. So a storage that a case has closed stays open, and the next one who
 * asks gets it, emptied; as many are made as are open at once.
 */
export function keeping(make: (number: number) => Promise<Kept>): Room {
  const all: Kept[] = [];
  const free: Kept[] = [];

  async function taken(): Promise<Kept> {
    const known = free.pop();
    if (known !== undefined) {
      await known.empty();
      return known;
    }
    const made = await make(all.length + 1);
    all.push(made);
    return made;
  }

  return {
    async storage() {
      const kept = await taken();
      return over(kept.storage, {
        close: async () => {
          free.push(kept);
        },
      });
    },
    async close() {
      await Promise.all(all.map(({ storage }) => storage.close()));
    },
  };
}
