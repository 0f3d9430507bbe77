import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { operations } from '../api/index.js';
import { coverageErrors, coveragePage } from './coverage-page.js';
import { endpointMismatches } from './endpoints.js';
import { serviceCases } from './index.js';

test('the operations are the endpoints of the specification and the known additional ones', (t) => {
  t.deepEqual(endpointMismatches(operations), []);
});

test('every case tests a clause, and every clause names existing cases', (t) => {
  t.deepEqual(coverageErrors(serviceCases), []);
});

test('case ids are unique', (t) => {
  t.is(new Set(serviceCases.map(({ id }) => id)).size, serviceCases.length);
});

const path = 'docs/coverage.md';

test('docs/coverage.md is up to date', (t) => {
  const page = coveragePage(operations, serviceCases);
  if (process.env.MILLRACE_WRITE) writeFileSync(path, page);
  t.is(readFileSync(path, 'utf8'), page, 'generate it again with MILLRACE_WRITE=1');
});
