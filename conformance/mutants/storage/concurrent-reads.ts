import type { Storage } from '../../../core/ports/index.js';
import { type StorageMutant, storageMutant } from './mutants.js';

/** Whoever asks while an answer of this storage is on its way gets that answer. */
const sharePendingReads = (storage: Storage): Partial<Storage> => {
  const pending = new Map<string, Promise<never>>();
  return {
    find(query, args, window) {
      const key = JSON.stringify([query, args, window]);
      const existing = pending.get(key);
      if (existing !== undefined) return existing;
      // Slow enough for something to happen meanwhile.
      const answer = storage.find(query, args, window).then(async (found) => {
        for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return found as never;
      });
      pending.set(key, answer);
      answer.finally(() => pending.delete(key)).catch(() => undefined);
      return answer;
    },
  };
};

/** What is asked for in the same turn of the event loop is answered in the order of the ids, not of the questions. */
const mixUpResults = (storage: Storage): Partial<Storage> => {
  let waiting: { readonly args: never; readonly answer: (found: never) => void }[] = [];
  return {
    find(query, args, window) {
      if (query !== 'build.byNumber') return storage.find(query, args, window);
      return new Promise((answer) => {
        waiting.push({ args: args as never, answer: answer as never });
        if (waiting.length > 1) return;
        setImmediate(async () => {
          const all = waiting;
          waiting = [];
          const found = await Promise.all(all.map((each) => storage.find(query, each.args, window)));
          found.sort((a, b) => ((a.stamps[0]?.id ?? '') < (b.stamps[0]?.id ?? '') ? -1 : 1));
          for (const [index, each] of all.entries()) each.answer(found[index] as never);
        });
      });
    },
  };
};

/** Mistakes of storages that answer several questions in one trip. */
export const concurrentReadMutants: readonly StorageMutant[] = [
  storageMutant('mixes up the answers to what is asked at once', mixUpResults),
  storageMutant('hands out an answer that was asked for before the last change', sharePendingReads),
];
