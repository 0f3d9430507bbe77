import { setTimeout as pause } from 'node:timers/promises';
import { memoryStorage } from '../../../adapters/memory/index.js';
import type { Storage } from '../../../core/ports/index.js';
import type { StorageUnderTest } from '../../runner/levels.js';
import { type AppendCommit, journaledStorage } from './journaled-storage.js';

/** Delay of late writes in milliseconds, long enough for the process to be killed in between. */
const writeDelay = 50;

/** Faults that show only when a process is killed. */
export const crashMutants: Readonly<Record<string, AppendCommit>> = {
  'acknowledges a commit before it is durable': async (append, batch) => ({
    written: pause(writeDelay).then(() => append(batch)),
  }),
  'writes a batch in two steps': async (append, batch) => {
    append({ ...batch, insert: batch.insert.slice(0, 1), touch: [], events: [] });
    await pause(writeDelay / 10);
    append({ ...batch, insert: batch.insert.slice(1), expect: [], replace: [], remove: [] });
    return { written: Promise.resolve() };
  },
};

const locations = new WeakMap<Storage, string>();

/** Opens the storage in the process that is killed. The location is `fault|file`, with an empty fault for the correct storage. */
export function openAt(location: string): Storage {
  const [mutantName = '', filename = ''] = location.split('|');
  const storage = journaledStorage(memoryStorage(), filename, crashMutants[mutantName]);
  locations.set(storage, location);
  return storage;
}

/** The journaled storage with the named fault, or without one, in the files that `fileFor` names. */
export function onJournals(mutantName: string, fileFor: () => string): StorageUnderTest {
  const locationOf = (storage: Storage) => locations.get(storage) ?? '';
  return {
    open: () => openAt(`${mutantName}|${fileFor()}`),
    reopen: (storage) => openAt(locationOf(storage)),
    otherProcess: { module: import.meta.url, locationOf },
  };
}
