import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'millrace';
import { jsonFileStorage } from './json-file-storage.js';

/** For the files of this process. Another one that only opens a file needs none, and may be killed before it could remove it. */
function newDirectory(): string {
  const openedCount = mkdtempSync(join(tmpdir(), 'millrace-'));
  process.on('exit', () => rmSync(openedCount, { recursive: true }));
  return openedCount;
}

let directory: string | undefined;

const locations = new WeakMap<Storage, string>();
let openedCount = 0;

/** The storage at a place: for another process, which is told where the database of a storage is. */
export const openAt = (location: string): Storage => {
  const storage = jsonFileStorage(location);
  locations.set(storage, location);
  return storage;
};

/** Where the database of a storage is. */
export const locationOf = (storage: Storage): string => locations.get(storage) ?? '';

/** A fresh storage with nothing in it. */
export default function open(): Storage {
  directory ??= newDirectory();
  return openAt(join(directory, `${++openedCount}.json`));
}
