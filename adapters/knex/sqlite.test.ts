import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { testAll } from '../../conformance/bindings/ava.js';
import { storageCases } from '../../conformance/storage/index.js';
import type { Storage } from '../../core/ports/index.js';
import { knexStorage } from './index.js';

/** Real files, in a directory of their own that is gone afterwards. */
testAll(
  test.serial,
  storageCases,
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
    const files = new Map<Storage, string>();
    const opened = async (filename: string) => {
      const storage = knexStorage({ client: 'sqlite', filename });
      files.set(storage, filename);
      await storage.prepare();
      return storage;
    };
    return {
      harness: {
        storage: () => opened(join(directory, `${files.size}.db`)),
        reopen: (storage) => opened(files.get(storage) ?? ''),
      },
      close: async () => {
        await Promise.all([...files.keys()].map((storage) => storage.close()));
        await rm(directory, { recursive: true });
      },
    };
  },
  ['reopen'],
);
