import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'millrace';
import { jsonFileStorage } from './json-file-storage.js';

/** A temporary directory for the files of this process. Created on demand: a process that only calls `openAt` needs none. */
function newDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'millrace-'));
  process.on('exit', () => rmSync(path, { recursive: true }));
  return path;
}

let directory: string | undefined;

const locations = new WeakMap<Storage, string>();
let openedCount = 0;

/** Opens the storage at a location. Another process calls this with the result of `locationOf`. */
export const openAt = (location: string): Storage => {
  const storage = jsonFileStorage(location);
  locations.set(storage, location);
  return storage;
};

/** The location of a storage's database. */
export const locationOf = (storage: Storage): string => locations.get(storage) ?? '';

/** Creates a fresh, empty storage. */
export default function open(): Storage {
  directory ??= newDirectory();
  return openAt(join(directory, `${++openedCount}.json`));
}
