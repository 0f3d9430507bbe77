import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { knexStorage } from '../index.js';
import { migrations } from '../migrations/index.js';
import { Connections } from './connections.js';

const withDirectory = async (work: (directory: string) => Promise<void>) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  try {
    await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
};

const assertPrepareFails = async (t: ExecutionContext, filename: string, reason: RegExp) => {
  const storage = knexStorage({ client: 'sqlite', filename });
  const error = await t.throwsAsync(() => storage.prepare(), { instanceOf: StorageUnavailable });
  t.regex(error?.message ?? '', reason);
  t.true(error?.message.includes(filename));
  t.false(error?.message.includes('\n'));
  await storage.close();
};

test('opening.no-directory', (t) =>
  withDirectory((directory) => assertPrepareFails(t, join(directory, 'absent', 'a.db'), /there is no directory/)));

test('opening.a-directory', (t) =>
  withDirectory(async (directory) => {
    await mkdir(join(directory, 'a.db'));
    await assertPrepareFails(t, join(directory, 'a.db'), /it is a directory/);
  }));

test('opening.another-file', (t) =>
  withDirectory(async (directory) => {
    await writeFile(join(directory, 'a.db'), 'not a database, but long enough to look for a header in it'.repeat(50));
    await assertPrepareFails(t, join(directory, 'a.db'), /it is not a SQLite database/);
  }));

test('opening.newer-schema', (t) =>
  withDirectory(async (directory) => {
    const filename = join(directory, 'a.db');
    const storage = knexStorage({ client: 'sqlite', filename });
    await storage.prepare();
    await storage.close();
    const connections = new Connections({ client: 'sqlite', filename });
    const newer = migrations.length + 1;
    await connections.withoutTransaction((session) =>
      session.exec(`insert into "millrace_migrations" values (${newer}, 'newer')`),
    );
    await connections.close();
    await assertPrepareFails(t, filename, new RegExp(`its schema has version ${newer}`));
  }));

test('opening.locked-for-too-long', (t) =>
  withDirectory(async (directory) => {
    const filename = join(directory, 'a.db');
    const storage = knexStorage({ client: 'sqlite', filename, busyTimeout: 50 });
    await storage.prepare();
    const other = new Connections({ client: 'sqlite', filename });
    await other.transaction(async () => {
      await t.throwsAsync(() => storage.next('a'), { instanceOf: StorageUnavailable, message: /locked for too long/ });
      t.deepEqual(await storage.events(0, 1), []);
    });
    t.is(await storage.next('a'), 1);
    await Promise.all([storage.close(), other.close()]);
  }));

test('closing.while-much-is-under-way', (t) =>
  withDirectory(async (directory) => {
    const filename = join(directory, 'a.db');
    const storage = knexStorage({ client: 'sqlite', filename });
    await storage.prepare();
    const event = { type: 'e', organization_id: 'o', at: '2026-01-31T09:30:00.000Z', data: {} };
    const batch = { expect: [], insert: [], replace: [], touch: [], remove: [], events: [event] };
    const commits = Array.from({ length: 40 }, () => storage.commit(batch));
    const reads = Array.from({ length: 40 }, () => storage.events(0, 100));
    await commits[0];
    const closed = storage.close();
    const outcomes = await Promise.allSettled([...commits, ...reads]);
    await closed;
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') t.true(outcome.reason instanceof StorageUnavailable);
    const done = outcomes.slice(0, 40).filter(({ status }) => status === 'fulfilled').length;
    const again = knexStorage({ client: 'sqlite', filename });
    t.is((await again.events(0, 100)).length, done);
    await again.close();
  }));

test('opening.prefix-is-checked', (t) => {
  t.throws(() => knexStorage({ client: 'sqlite', filename: ':memory:', tablePrefix: 'a"b' }), {
    instanceOf: TypeError,
  });
});
