// biome-ignore-all lint/style/noRestrictedImports: the suite is handed its adapters, and this is the hand
import { setTimeout as pause } from 'node:timers/promises';
import { memoryStorage } from '../../../adapters/memory/index.js';
import type { Storage } from '../../../core/ports/index.js';
import type { StorageUnderTest } from '../../runner/levels.js';
import { type AppendCommit, journaledStorage } from './journaled-storage.js';

/** How long what is written too late waits, in milliseconds: long enough for somebody to die in between. */
const writeDelay = 50;

/** Mistakes that nobody notices as long as every process comes to a good end. */
export const crashMutants: Readonly<Record<string, AppendCommit>> = {
  'acknowledges before it is kept': async (append, batch) => ({ written: pause(writeDelay).then(() => append(batch)) }),
  'keeps a batch in two steps': async (append, batch) => {
    append({ ...batch, insert: batch.insert.slice(0, 1), touch: [], events: [] });
    await pause(writeDelay / 10);
    append({ ...batch, insert: batch.insert.slice(1), expect: [], replace: [], remove: [] });
    return { written: Promise.resolve() };
  },
};

const locations = new WeakMap<Storage, string>();

/** For the process that is killed: a place is the name of a fault, or nothing, and the file. */
export function openAt(location: string): Storage {
  const [mutantName = '', filename = ''] = location.split('|');
  const storage = journaledStorage(memoryStorage(), filename, crashMutants[mutantName]);
  locations.set(storage, location);
  return storage;
}

/** The storage with that fault, or without one, in files that `fileFor` names. */
export function onJournals(mutantName: string, fileFor: () => string): StorageUnderTest {
  const locationOf = (storage: Storage) => locations.get(storage) ?? '';
  return {
    open: () => openAt(`${mutantName}|${fileFor()}`),
    reopen: (storage) => openAt(locationOf(storage)),
    otherProcess: { module: import.meta.url, locationOf },
  };
}
