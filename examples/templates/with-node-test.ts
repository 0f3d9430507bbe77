import { test } from 'node:test';
import type { Storage } from 'millrace';
import { type StorageHarness, storageCases } from 'millrace/conformance';
import { testAll } from 'millrace/conformance/node-test';
import open, { locationOf, openAt } from './json-file-module.js';

const prepared = async (storage: Storage): Promise<Storage> => {
  await storage.prepare();
  return storage;
};

const harness: StorageHarness = {
  storage: () => prepared(open()),
  reopen: (storage) => prepared(openAt(locationOf(storage))),
  otherProcess: { module: new URL('./json-file-module.js', import.meta.url).href, locationOf },
};

testAll(test, storageCases, async () => ({ harness, close: async () => {} }), ['reopen', 'restart']);
