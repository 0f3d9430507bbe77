import { test } from 'node:test';
import type { Storage } from 'millrace';
import { storageCases } from 'millrace/conformance';
import { testAll } from 'millrace/conformance/node-test';
import open, { again } from './json-file-module.js';

const prepared = async (storage: Storage): Promise<Storage> => {
  await storage.prepare();
  return storage;
};

testAll(test, storageCases, async () => ({
  harness: { storage: () => prepared(open()), again: (storage) => prepared(again(storage)) },
  close: async () => {},
}));
