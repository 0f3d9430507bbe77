import { test } from 'node:test';
import type { Storage } from 'millrace';
import { type StorageHarness, storageCases } from 'millrace/conformance';
import { testAll } from 'millrace/conformance/node-test';
import open, { at, placeOf } from './json-file-module.js';

const prepared = async (storage: Storage): Promise<Storage> => {
  await storage.prepare();
  return storage;
};

const harness: StorageHarness = {
  storage: () => prepared(open()),
  again: (storage) => prepared(at(placeOf(storage))),
  elsewhere: { module: new URL('./json-file-module.js', import.meta.url).href, placeOf },
};

testAll(test, storageCases, async () => ({ harness, close: async () => {} }), ['again', 'restart']);
