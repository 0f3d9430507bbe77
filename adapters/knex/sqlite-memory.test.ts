import test from 'ava';
import { testAll } from '../../conformance/bindings/ava.js';
import { storageCases } from '../../conformance/storage/index.js';
import type { Storage } from '../../core/ports/index.js';
import { knexStorage } from './index.js';

/** One connection for reading and writing, and claims that are the opposite of those of a file. */
testAll(
  test.serial,
  storageCases,
  async () => {
    const storages: Storage[] = [];
    const opened = async () => {
      const storage = knexStorage({ client: 'sqlite', filename: ':memory:' });
      storages.push(storage);
      await storage.prepare();
      return storage;
    };
    return {
      harness: { storage: opened, reopen: opened },
      close: async () => {
        await Promise.all(storages.map((storage) => storage.close()));
      },
    };
  },
  ['reopen'],
);
