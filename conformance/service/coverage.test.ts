import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { operations } from '../../core/operations/index.js';
import { coverageErrors, coveragePage } from './coverage-page.js';
import { endpointMismatches } from './endpoints.js';
import { serviceCases } from './index.js';

test('the operations are the endpoints of the specification, and ours', (t) => {
  t.deepEqual(endpointMismatches(operations), []);
});

test('every case proves a clause, and every clause is proven by cases that exist', (t) => {
  t.deepEqual(coverageErrors(serviceCases), []);
});

test('no two cases have the same id', (t) => {
  t.is(new Set(serviceCases.map(({ id }) => id)).size, serviceCases.length);
});

const path = 'docs/coverage.md';

test('docs/coverage.md shows what the suite covers', (t) => {
  const page = coveragePage(operations, serviceCases);
  if (process.env.MILLRACE_WRITE) writeFileSync(path, page);
  t.is(readFileSync(path, 'utf8'), page, 'make it anew with MILLRACE_WRITE=1');
});
