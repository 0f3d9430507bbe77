import test from 'ava';
import { testFilesFor } from './select.js';

const added = (...changed: string[]): string[] => {
  const always = testFilesFor([]);
  return testFilesFor(changed).filter((pattern) => !always.includes(pattern));
};

test('the tests of a touched adapter run', (t) => {
  t.deepEqual(added('docs/states.md', 'core/api.ts', 'adapters/memory/storage.ts'), []);
  t.deepEqual(added('adapters/koa/serve.ts', 'adapters/koa/respond.ts'), ['dist/adapters/koa/*.test.js']);
  t.deepEqual(added('adapters/knex/sqlite/rows.ts'), ['dist/adapters/knex/sqlite*.test.js']);
  t.deepEqual(added('adapters/knex/compile/parameters.ts'), ['dist/adapters/knex/*.test.js']);
});

test('a test that was changed runs, and helpers of tests do not', (t) => {
  t.deepEqual(added('conformance/mutants/storage/mutants.test.ts'), [
    'dist/conformance/mutants/storage/mutants.test.js',
  ]);
  t.deepEqual(added('conformance/service/combinations/_run.test.ts', 'conformance/gone.txt'), []);
});
