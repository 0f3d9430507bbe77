import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { StorageUnavailable } from 'millrace';
import { testAll } from '../../conformance/bindings/ava.js';
import { storageCases } from '../../conformance/storage/index.js';
import { jsonFileStorage } from './json-file-storage.js';

testAll(test, storageCases, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  let opened = 0;
  const open = async (filename: string) => {
    const storage = jsonFileStorage(filename);
    await storage.prepare();
    return Object.assign(storage, { filename });
  };
  return {
    harness: {
      storage: () => open(join(directory, `${opened++}.json`)),
      again: (storage) => open((storage as Awaited<ReturnType<typeof open>>).filename),
    },
    close: () => rm(directory, { recursive: true }),
  };
});

test('a change that cannot be written has not happened', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  const storage = jsonFileStorage(join(directory, 'ci.json'));
  await storage.prepare();
  t.is(await storage.next('builds'), 1);
  await rm(directory, { recursive: true });
  await t.throwsAsync(storage.next('builds'), { instanceOf: StorageUnavailable });
  await mkdir(directory);
  t.is(await storage.next('builds'), 2);
  await rm(directory, { recursive: true });
});
