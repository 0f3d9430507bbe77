import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { type Storage, StorageUnavailable } from 'millrace';
import { type StorageHarness, storageCases } from 'millrace/conformance';
import { testAll } from 'millrace/conformance/ava';
import open, { locationOf, openAt } from './json-file-module.js';
import { jsonFileStorage } from './json-file-storage.js';

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

test('a change that cannot be written has no effect', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const storage = await prepared(jsonFileStorage(join(directory, 'ci.json')));
  t.is(await storage.next('builds'), 1);
  await rm(directory, { recursive: true });
  await t.throwsAsync(storage.next('builds'), { instanceOf: StorageUnavailable });
  await mkdir(directory);
  t.is(await storage.next('builds'), 2);
  await rm(directory, { recursive: true });
});
