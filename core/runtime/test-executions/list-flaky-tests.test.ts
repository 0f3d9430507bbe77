import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../../conformance/property-settings.js';
import {
  makeExecution,
  makeSuiteFixture,
  minutesAfterNine,
  type SuiteFixture,
} from '../../../test/support/suite-fixture.js';
import type { ExecutionInput } from './execution-input.js';

/** Both results on one commit. */
const flake = (fields: Partial<ExecutionInput>): ExecutionInput[] => [
  makeExecution({ ...fields, result: 'failed' }),
  makeExecution({ ...fields, result: 'passed' }),
];
const search = (text: string) => `search=${encodeURIComponent(text)}`;
const names = async (fixture: SuiteFixture, query = '', suite = 'web') =>
  (await fixture.list(query, suite)).tests.map(({ name }) => name).sort();

test('list.order-and-pages', async (t) => {
  const fixture = await makeSuiteFixture();
  // Seventy-five tests on five moments, so that the id has to decide between most of them.
  await fixture.record(
    Array.from({ length: 75 }, (_, n) => flake({ name: `test ${n}`, at: minutesAfterNine(n % 5) })).flat(),
  );
  await fixture.record([makeExecution({ name: 'calm' })]);
  await fixture.record(flake({ name: 'elsewhere' }), 'other');
  const whole = await fixture.list('per_page=100');
  t.is(whole.tests.length, 75);
  const key = (one: (typeof whole.tests)[number]) => `${one.latest_occurrence_at} ${one.id}`;
  const keys = whole.tests.map(key);
  t.deepEqual(keys, [...keys].sort().reverse(), 'the latest first, then the greater id');
  for (const [query, pages] of [
    ['', 3],
    ['per_page=7', 11],
    ['per_page=75', 1],
  ] as const) {
    const paged = await fixture.list(query);
    t.is(paged.pages.length, pages);
    t.deepEqual(paged.tests, whole.tests, query);
  }
});

test('list.search', async (t) => {
  const fixture = await makeSuiteFixture();
  const texts = ['50% off', '500 off', 'a_b', 'axb', 'c:\\d', 'Straße', 'plain'];
  for (const suite of ['web', 'ruby']) {
    await fixture.record(
      texts.flatMap((name) => flake({ name, scope: 'Shop Cart', location: `spec/${name.length}_spec.rb:3` })),
      suite,
    );
  }
  const found = (text: string, suite?: string) => names(fixture, search(text), suite);
  t.deepEqual(await found('50% OFF'), ['50% off']);
  t.deepEqual(await found('%'), ['50% off']);
  t.deepEqual(await found('_'), ['a_b']);
  t.deepEqual(await found('\\'), ['c:\\d']);
  t.deepEqual(await found('STRA'), ['Straße']);
  t.deepEqual(await found('p cART'), [...texts].sort(), 'the scope counts as well');
  t.deepEqual(await found('Cart plain'), [], 'but not both in one');
  t.deepEqual(await found('nothing of it'), []);
  t.deepEqual(await found('_spec.rb'), [], 'the location counts with the Ruby collector only');
  t.deepEqual(await found('SPEC/5_', 'ruby'), ['plain']);
  t.deepEqual(await found('_', 'ruby'), [...texts].sort());
});

test('list.search-as-plain-containment', async (t) => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '%', '_', '\\', "'", '*', '.', ' '), maxLength: 4 });
  const property = fc.asyncProperty(fc.array(fc.tuple(piece, piece), { maxLength: 12 }), piece, async (all, text) => {
    const fixture = await makeSuiteFixture();
    const tests = all.map(([scope, name], n) => ({ scope, name: `${name}${n}`, location: name }));
    await fixture.record(tests.flatMap(flake));
    const has = (value: string) => value.toLowerCase().includes(text.toLowerCase());
    const wanted = tests.filter(({ scope, name }) => has(scope) || has(name)).map(({ name }) => name);
    t.deepEqual(await names(fixture, search(text)), wanted.sort());
  });
  await fc.assert(property, { seed, numRuns: scaledRuns(60) });
});

test('list.search-branch-and-pages-together', async (t) => {
  const fixture = await makeSuiteFixture();
  await fixture.record(
    Array.from({ length: 40 }, (_, n) =>
      flake({ name: `${n % 2 ? 'odd' : 'even'} ${n}`, branch: n < 20 ? 'a' : 'b/c' }),
    ).flat(),
  );
  const { tests, pages } = await fixture.list(`${search('ODD')}&branch=${encodeURIComponent('b/c')}&per_page=4`);
  t.is(pages.length, 3);
  t.deepEqual(tests.map(({ name }) => Number(name.slice(4))).sort(), [21, 23, 25, 27, 29, 31, 33, 35, 37, 39]);
  t.deepEqual((await fixture.list('branch=B/C')).tests, [], 'branches are compared exactly');
});
