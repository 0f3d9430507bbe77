import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'millrace';
import { jsonFileStorage } from './json-file-storage.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-'));
process.on('exit', () => rmSync(directory, { recursive: true }));

const files = new WeakMap<Storage, string>();
let made = 0;

const at = (filename: string): Storage => {
  const storage = jsonFileStorage(filename);
  files.set(storage, filename);
  return storage;
};

/** A fresh storage with nothing in it. */
export default (): Storage => at(join(directory, `${++made}.json`));

/** Another storage on the same file. */
export const again = (storage: Storage): Storage => at(files.get(storage) ?? '');
