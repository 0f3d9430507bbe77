import test from 'ava';
import { runCli, temporaryDirectory } from '../../test/support/cli-process.js';
import { freshDatabase } from '../../test/support/postgres/database.js';

test.serial(
  'our durable storages survive a process that is killed during a write, and other processes continue',
  async (t) => {
    const database = await freshDatabase();
    t.teardown(() => database.drop());
    for (const storage of ['sqlite', database.url]) {
      const args = ['--storage', storage, '--case', 'storage.restart'];
      const { code, stdout, stderr } = await runCli(await temporaryDirectory(t), 'conformance', ...args);
      t.is(code, 0, stdout + stderr);
      t.regex(stdout, /^2 cases: 2 passed, 0 skipped/);
    }
  },
);
