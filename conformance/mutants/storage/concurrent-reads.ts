import type { Storage } from '../../../core/ports/index.js';
import { type StorageMutant, storageMutant } from './mutants.js';

/** Callers get the result of an equal `find` that is still pending, although it began before a change. */
const sharePendingReads = (storage: Storage): Partial<Storage> => {
  const pending = new Map<string, Promise<never>>();
  return {
    find(query, args, window) {
      const key = JSON.stringify([query, args, window]);
      const existing = pending.get(key);
      if (existing !== undefined) return existing;
      // Slow enough for a commit to happen in between.
      const result = storage.find(query, args, window).then(async (found) => {
        for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return found as never;
      });
      pending.set(key, result);
      result.finally(() => pending.delete(key)).catch(() => undefined);
      return result;
    },
  };
};

/** Calls in the same turn of the event loop get the results in the order of the ids instead of the order of the calls. */
const mixUpResults = (storage: Storage): Partial<Storage> => {
  let waiting: { readonly args: never; readonly resolve: (found: never) => void }[] = [];
  return {
    find(query, args, window) {
      if (query !== 'build.byNumber') return storage.find(query, args, window);
      return new Promise((resolve) => {
        waiting.push({ args: args as never, resolve: resolve as never });
        if (waiting.length > 1) return;
        setImmediate(async () => {
          const all = waiting;
          waiting = [];
          const found = await Promise.all(all.map((each) => storage.find(query, each.args, window)));
          found.sort((a, b) => ((a.stamps[0]?.id ?? '') < (b.stamps[0]?.id ?? '') ? -1 : 1));
          for (const [index, each] of all.entries()) each.resolve(found[index] as never);
        });
      });
    },
  };
};

/** Faults of storages that coalesce or batch reads. */
export const concurrentReadMutants: readonly StorageMutant[] = [
  storageMutant('mixes up the results of concurrent reads', mixUpResults),
  storageMutant('shares the result of a read that began before the last commit', sharePendingReads),
];
