// biome-ignore-all lint/style/noRestrictedImports: the suite is handed its adapters, and this is the hand
import { setTimeout as pause } from 'node:timers/promises';
import { memoryStorage } from '../../adapters/memory/index.js';
import type { Storage } from '../../core/ports/index.js';
import type { StorageUnderTest } from '../runner/levels.js';
import { type Keep, logged } from './logged.js';

/** How long what is written too late waits, in milliseconds: long enough for somebody to die in between. */
const late = 50;

/** Mistakes that nobody notices as long as every process comes to a good end. */
export const restartingFaults: Readonly<Record<string, Keep>> = {
  'acknowledges before it is kept': async (append, batch) => ({ written: pause(late).then(() => append(batch)) }),
  'keeps a batch in two steps': async (append, batch) => {
    append({ ...batch, insert: batch.insert.slice(0, 1), touch: [], events: [] });
    await pause(late / 10);
    append({ ...batch, insert: batch.insert.slice(1), expect: [], replace: [], remove: [] });
    return { written: Promise.resolve() };
  },
};

const places = new WeakMap<Storage, string>();

/** For the process that is killed: a place is the name of a fault, or nothing, and the file. */
export function at(place: string): Storage {
  const [fault = '', filename = ''] = place.split('|');
  const storage = logged(memoryStorage(), filename, restartingFaults[fault]);
  places.set(storage, place);
  return storage;
}

/** The storage with that fault, or without one, in files that `fileFor` names. */
export function onLogs(fault: string, fileFor: () => string): StorageUnderTest {
  const placeOf = (storage: Storage) => places.get(storage) ?? '';
  return {
    open: () => at(`${fault}|${fileFor()}`),
    again: (storage) => at(placeOf(storage)),
    elsewhere: { module: import.meta.url, placeOf },
  };
}
