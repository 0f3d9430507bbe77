import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'millrace';
import { jsonFileStorage } from './json-file-storage.js';

/** For the files of this process. Another one that only opens a file needs none, and may be killed before it could remove it. */
function newDirectory(): string {
  const made = mkdtempSync(join(tmpdir(), 'millrace-'));
  process.on('exit', () => rmSync(made, { recursive: true }));
  return made;
}

let directory: string | undefined;

const places = new WeakMap<Storage, string>();
let made = 0;

/** The storage at a place: for another process, which is told where the database of a storage is. */
export const at = (place: string): Storage => {
  const storage = jsonFileStorage(place);
  places.set(storage, place);
  return storage;
};

/** Where the database of a storage is. */
export const placeOf = (storage: Storage): string => places.get(storage) ?? '';

/** A fresh storage with nothing in it. */
export default function open(): Storage {
  directory ??= newDirectory();
  return at(join(directory, `${++made}.json`));
}
