import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../../conformance/property-settings.js';
import { makeSuiteFixture, minutesAfterNine, type SuiteFixture } from '../../../test/support/suite-fixture.js';
import { expectedTests } from './_reference-model.test.js';
import type { ExecutionInput } from './execution-input.js';

test.before((t) => t.log(`seed ${seed}`));

const branches = ['main', 'topic', 'Main'];

/** Few tests, commits and times, so that they often meet. The location follows from the time: what ties say is tested apart. */
const anyExecution: fc.Arbitrary<ExecutionInput> = fc
  .record({
    scope: fc.constantFrom('Cart', '', 'cart'),
    name: fc.constantFrom('adds up', 'is empty'),
    result: fc.constantFrom('passed', 'failed', 'failed', 'passed', 'skipped'),
    commit: fc.constantFrom('c1', 'c2', 'c3', 'c4'),
    branch: fc.constantFrom(...branches),
    minute: fc.nat({ max: 30 }),
  })
  .map(({ minute, ...rest }) => ({
    ...rest,
    at: minutesAfterNine(minute),
    location: `cart.js:${minute}`,
    file_name: 'cart.js',
  }));

const executions = (maxLength: number) => fc.array(anyExecution, { maxLength, size: 'max' });

/** Any list, in portions of any size. */
const anyPortions = fc
  .tuple(executions(60), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }))
  .map(([all, sizes]) => {
    const parts: ExecutionInput[][] = [];
    for (let from = 0, n = 0; from < all.length; n += 1) {
      const size = sizes[n % sizes.length] ?? 1;
      parts.push(all.slice(from, from + size));
      from += size;
    }
    return parts;
  });

async function checkAgainstModel(fixture: SuiteFixture, all: readonly ExecutionInput[]): Promise<void> {
  const model = expectedTests(all);
  const stored = await fixture.storedTests();
  const wanted = model.map(({ branches: _, ...test }) => test);
  const order = (a: { scope?: string; name?: string }, b: typeof a) =>
    JSON.stringify([a.scope, a.name]) < JSON.stringify([b.scope, b.name]) ? -1 : 1;
  assert.deepEqual(
    stored.map(({ identity: _, file_name: _file, last_resolved_at: _resolved, ...test }) => test).sort(order),
    wanted.sort(order),
  );
  for (const branch of branches) {
    const { tests } = await fixture.list(`branch=${branch}`);
    const names = tests.map(({ scope, name }) => `${scope}/${name}`).sort();
    const on = model.filter((test) => test.branches.includes(branch)).map(({ scope, name }) => `${scope}/${name}`);
    assert.deepEqual(names, on.sort(), `branch ${branch}`);
  }
}

const check = (property: fc.IAsyncProperty<unknown>, numRuns: number) =>
  fc.assert(property as fc.IAsyncProperty<[unknown]>, { seed, numRuns: scaledRuns(numRuns) });

test('flaky.as-counted', async (t) => {
  let flaky = 0;
  const property = fc.asyncProperty(anyPortions, async (parts) => {
    const fixture = await makeSuiteFixture();
    const named = new Set<string>();
    for (const part of parts) for (const id of (await fixture.record(part)).flaky) named.add(id);
    await checkAgainstModel(fixture, parts.flat());
    const { tests } = await fixture.list();
    assert.deepEqual([...named].sort(), tests.map(({ id }) => id).sort(), 'the replies named them');
    flaky += tests.length;
  });
  await check(property, 300);
  t.true(flaky > 0);
});

test('flaky.any-order', async (t) => {
  const shuffles = executions(40).chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );
  await check(
    fc.asyncProperty(shuffles, fc.integer({ min: 1, max: 10 }), async ([all, shuffled], size) => {
      const fixture = await makeSuiteFixture();
      for (let from = 0; from < shuffled.length; from += size) await fixture.record(shuffled.slice(from, from + size));
      await checkAgainstModel(fixture, all);
    }),
    200,
  );
  t.pass();
});

test('flaky.repeated', async (t) => {
  await check(
    fc.asyncProperty(executions(30), async (all) => {
      const fixture = await makeSuiteFixture();
      await fixture.record(all);
      const before = [await fixture.storedTests(), await fixture.list()];
      assert.deepEqual((await fixture.record(all)).flaky, []);
      assert.deepEqual([await fixture.storedTests(), await fixture.list()], before);
    }),
    50,
  );
  t.pass();
});

test('flaky.at-once', async (t) => {
  await check(
    fc.asyncProperty(fc.array(executions(12), { minLength: 2, maxLength: 8 }), async (parts) => {
      const fixture = await makeSuiteFixture();
      await Promise.all(parts.map((part, process) => fixture.recordInProcess(process % 4, part)));
      await checkAgainstModel(fixture, parts.flat());
    }),
    100,
  );
  t.pass();
});
