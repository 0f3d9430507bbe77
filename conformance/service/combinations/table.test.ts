import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { combinations } from './combination.js';
import { withTable } from './table.js';

test('every combination has its file of tests', (t) => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => /^(?!_).*\.test\.js$/.test(name));
  t.deepEqual(
    files.filter((name) => name !== 'table.test.js').sort(),
    combinations.map(({ name }) => `${name}.test.js`).sort(),
  );
});

const path = 'README.md';

test('the README shows what runs', (t) => {
  const page = withTable(readFileSync(path, 'utf8'));
  if (process.env.MILLRACE_WRITE) writeFileSync(path, page);
  t.is(readFileSync(path, 'utf8'), page, 'make it anew with MILLRACE_WRITE=1');
});
