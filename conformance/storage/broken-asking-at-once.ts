import type { Storage } from '../../core/ports/index.js';
import { type Fault, fault } from './broken.js';

/** Whoever asks while an answer of this storage is on its way gets that answer. */
const sharesWhatIsUnderWay = (storage: Storage): Partial<Storage> => {
  const asked = new Map<string, Promise<never>>();
  return {
    find(query, args, window) {
      const key = JSON.stringify([query, args, window]);
      const known = asked.get(key);
      if (known !== undefined) return known;
      // Slow enough for something to happen meanwhile.
      const answer = storage.find(query, args, window).then(async (found) => {
        for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return found as never;
      });
      asked.set(key, answer);
      answer.finally(() => asked.delete(key)).catch(() => undefined);
      return answer;
    },
  };
};

/** What is asked for in the same turn of the event loop is answered in the order of the ids, not of the questions. */
const mixesAnswersUp = (storage: Storage): Partial<Storage> => {
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
          for (const [place, each] of all.entries()) each.answer(found[place] as never);
        });
      });
    },
  };
};

/** Mistakes of storages that answer several questions in one trip. */
export const askingAtOnceFaults: readonly Fault[] = [
  fault('mixes up the answers to what is asked at once', mixesAnswersUp),
  fault('hands out an answer that was asked for before the last change', sharesWhatIsUnderWay),
];
