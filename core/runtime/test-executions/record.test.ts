import test from 'ava';
import { makeExecution, makeSuiteFixture, minutesAfterNine } from '../../../test/support/suite-fixture.js';
import { isApiError } from '../../errors/index.js';
import type { ExecutionInput } from './execution-input.js';

test('record.one-flake', async (t) => {
  const { record, list } = await makeSuiteFixture();
  const place = { location: 'cart.js:3', file_name: 'cart.js' };
  t.deepEqual((await record([makeExecution({ result: 'failed', at: minutesAfterNine(1), ...place })])).flaky, []);
  t.deepEqual((await list()).tests, []);
  const { executions, flaky } = await record([makeExecution({ at: minutesAfterNine(2), ...place })]);
  t.is(executions, 1);
  const { tests } = await list();
  t.deepEqual(
    tests.map(({ id: _, ...rest }) => rest),
    [
      {
        web_url: `https://api.ci.test/organizations/acme/analytics/suites/web/tests/${flaky[0]}`,
        scope: 'Cart',
        name: 'adds up',
        ...place,
        instances: 1,
        latest_occurrence_at: minutesAfterNine(2),
        most_recent_instance_at: minutesAfterNine(2),
        last_resolved_at: null,
      } as never,
    ],
  );
  t.deepEqual(
    tests.map(({ id }) => id),
    flaky,
  );
});

test('record.not-flaky', async (t) => {
  const { record, list } = await makeSuiteFixture();
  await record([
    makeExecution({ result: 'failed', commit: 'c1' }),
    makeExecution({ result: 'passed', commit: 'c2' }),
    makeExecution({ result: 'skipped', commit: 'c1' }),
    makeExecution({ result: 'passed', commit: 'c1', scope: 'cart' }),
    makeExecution({ result: 'passed', commit: 'C1' }),
  ]);
  await record([makeExecution({ result: 'passed', commit: 'c1' })], 'other');
  t.deepEqual((await list()).tests, []);
});

test('record.out-of-order', async (t) => {
  const { record, list } = await makeSuiteFixture();
  const latest = async () => (await list()).tests.map((one) => [one.instances, one.latest_occurrence_at]);
  await record([
    makeExecution({ at: minutesAfterNine(10) }),
    makeExecution({ at: minutesAfterNine(20), result: 'failed' }),
  ]);
  await record([
    makeExecution({ at: minutesAfterNine(12), commit: 'c2' }),
    makeExecution({ at: minutesAfterNine(15), commit: 'c2', result: 'failed' }),
    makeExecution({ at: minutesAfterNine(11), commit: 'c3' }),
    makeExecution({ at: minutesAfterNine(13), commit: 'c3', result: 'failed' }),
  ]);
  t.deepEqual(await latest(), [[3, minutesAfterNine(20)]]);
  await record([makeExecution({ at: minutesAfterNine(5), result: 'failed' })]);
  t.deepEqual(
    await latest(),
    [[3, minutesAfterNine(15)]],
    'it had both results at 10; the latest is on another commit now',
  );
  await record([makeExecution({ at: minutesAfterNine(1), commit: 'c2', result: 'failed' })]);
  t.deepEqual(await latest(), [[3, minutesAfterNine(13)]]);
  await record([
    makeExecution({ at: minutesAfterNine(1), commit: 'c3', result: 'failed' }),
    makeExecution({ at: minutesAfterNine(2), commit: 'c3' }),
  ]);
  t.deepEqual(await latest(), [[3, minutesAfterNine(12)]]);
  await record([
    makeExecution({ at: minutesAfterNine(40) }),
    makeExecution({ at: minutesAfterNine(41), result: 'failed' }),
  ]);
  t.deepEqual(await latest(), [[3, minutesAfterNine(12)]], 'more of the same adds no occurrence');
  t.is((await list()).tests[0]?.most_recent_instance_at, minutesAfterNine(41));
});

test('record.latest-execution-tells-the-location', async (t) => {
  const { record, storedTests } = await makeSuiteFixture();
  const location = async () => (await storedTests())[0]?.location;
  await record([
    makeExecution({ at: minutesAfterNine(5), location: 'b:2' }),
    makeExecution({ at: minutesAfterNine(3), location: 'a:1' }),
  ]);
  t.is(await location(), 'b:2');
  await record([makeExecution({ at: minutesAfterNine(4), location: 'a:1' })]);
  t.is(await location(), 'b:2');
  await record([makeExecution({ at: minutesAfterNine(5), location: 'c:3' })]);
  t.is(await location(), 'c:3', 'at the same moment, what is recorded later');
});

test('record.branches', async (t) => {
  const { record, list } = await makeSuiteFixture();
  const on = async (branch: string) => (await list(`branch=${branch}`)).tests.length;
  await record([makeExecution({ branch: 'topic' }), makeExecution({ branch: 'calm', commit: 'c2' })]);
  t.is(await on('topic'), 0);
  await record([makeExecution({ branch: 'main', result: 'failed' })]);
  t.deepEqual([await on('topic'), await on('main'), await on('calm')], [1, 1, 0]);
  await record([makeExecution({ branch: 'later' })]);
  t.is(await on('later'), 1);
});

test('record.many-branches-of-one-commit', async (t) => {
  const { record, list } = await makeSuiteFixture();
  const branches = Array.from({ length: 150 }, (_, n) => `b${n}`);
  await record(branches.map((branch) => makeExecution({ branch })));
  await record([makeExecution({ result: 'failed', branch: 'last' })]);
  t.is((await list('branch=b99')).tests.length, 1);
  t.is((await list('branch=last')).tests.length, 1);
  t.is((await list('branch=b149')).tests.length, 0, 'only the first hundred are remembered');
  await record([makeExecution({ branch: 'b149' })]);
  t.is((await list('branch=b149')).tests.length, 1, 'once it is flaky, none is missed');
});

test('record.time-of-recording', async (t) => {
  const { clock, record, storedTests } = await makeSuiteFixture();
  clock.advance(60_000);
  const { at: _, ...without } = makeExecution({});
  await record([without]);
  t.is((await storedTests())[0]?.most_recent_instance_at, minutesAfterNine(1));
  await record([makeExecution({ at: '2026-01-05T12:30:00.1239+02:00' })]);
  t.is((await storedTests())[0]?.most_recent_instance_at, '2026-01-05T10:30:00.123Z');
});

test('record.event', async (t) => {
  const { api, record } = await makeSuiteFixture();
  const events: string[] = [];
  api.events.subscribe((event) => {
    if (event.type === 'test.flaky')
      events.push(JSON.stringify([event.data.name, event.data.commit, event.data.branches]));
  });
  await record([makeExecution({ branch: 'topic' })]);
  await record([
    makeExecution({ result: 'failed' }),
    makeExecution({ result: 'failed' }),
    makeExecution({ commit: 'c2' }),
  ]);
  await record([makeExecution({ result: 'failed' })]);
  for (let turn = 0; turn < 100 && events.length === 0; turn += 1) await new Promise(setImmediate);
  t.deepEqual(events, ['["adds up","c1",["topic","main"]]']);
});

test('record.resolved-stays', async (t) => {
  const { api, clock, record, list } = await makeSuiteFixture();
  const { flaky } = await record([makeExecution({}), makeExecution({ result: 'failed' })]);
  const [id = ''] = flaky;
  clock.advance(60_000);
  const reply = await api.runtime.tests.resolve({ test: id.toUpperCase() });
  t.is(reply.last_resolved_at, minutesAfterNine(1));
  await record([
    makeExecution({ commit: 'c2', at: minutesAfterNine(5) }),
    makeExecution({ commit: 'c2', at: minutesAfterNine(6), result: 'failed' }),
  ]);
  const { tests } = await list();
  t.deepEqual(
    tests.map((one) => [one.instances, one.last_resolved_at, one.latest_occurrence_at]),
    [[2, minutesAfterNine(1), minutesAfterNine(6)]],
  );
  clock.advance(60_000);
  await api.runtime.tests.resolve({ test: id });
  t.is((await list()).tests[0]?.last_resolved_at, minutesAfterNine(2));
  for (const test of ['nope', '0190a000-0000-7000-8000-000000000000']) {
    await t.throwsAsync(api.runtime.tests.resolve({ test }), { message: 'No test found' });
  }
});

const invalidExecutions: readonly (readonly [string, unknown, RegExp])[] = [
  ['null', null, /Executions\[1200\] must be an object/],
  ['text', 'failed', /Executions\[1200\] must be an object/],
  ['name', makeExecution({ name: '' }), /Executions\[1200\] name can't be blank/],
  ['long name', makeExecution({ name: 'x'.repeat(10_001) }), /Executions\[1200\] name is too long/],
  [
    'result',
    { ...makeExecution({}), result: 'ok' },
    /Executions\[1200\] result must be one of passed, failed, skipped/,
  ],
  ['commit', { ...makeExecution({}), commit: undefined }, /Executions\[1200\] commit/],
  ['branch', makeExecution({ branch: 'b'.repeat(256) }), /Executions\[1200\] branch is too long/],
  ['nul', makeExecution({ location: 'a\u0000' }), /Executions\[1200\] location has a character that cannot be stored/],
  ['surrogate', makeExecution({ scope: '\udc00' }), /Executions\[1200\] scope has a character that cannot be stored/],
  ['time', makeExecution({ at: '2026-02-30' }), /Executions\[1200\] at must be an ISO 8601/],
];
for (const [name, one, message] of invalidExecutions) {
  test(`record.refused.${name}`, async (t) => {
    const { record, storedTests } = await makeSuiteFixture();
    const many = Array.from({ length: 1_200 }, (_, n) => makeExecution({ name: `test ${n}` }));
    const error = await t.throwsAsync(record([...many, one as ExecutionInput]), { message });
    t.true(isApiError(error, 'validation.failed'));
    t.deepEqual(await storedTests(), [], 'nothing is written, not even what stands before it');
  });
}

test('record.refused.suite', async (t) => {
  const { api, record } = await makeSuiteFixture();
  await t.throwsAsync(record([], 'none'), { message: 'No suite found' });
  const input = { organization: 'none', suite: 'web', executions: [] };
  await t.throwsAsync(api.runtime.tests.record(input), { message: 'No organization found' });
  await t.throwsAsync(api.runtime.tests.record({ ...input, suite: undefined as never }), {
    message: /Suite can't be blank/,
  });
  await t.throwsAsync(api.runtime.tests.record(undefined as never), { message: /Organization can't be blank/ });
  await t.throwsAsync(record({} as never), { message: /Executions must be an array/ });
});

test('record.many-commits-at-once', async (t) => {
  const { record, list } = await makeSuiteFixture();
  const all = Array.from({ length: 1_500 }, (_, n) =>
    makeExecution({ commit: `c${n % 500}`, result: n < 500 ? 'failed' : 'passed', at: minutesAfterNine(n % 90) }),
  );
  t.is((await record(all)).flaky.length, 1);
  t.is((await list()).tests[0]?.instances, 500);
});

test('record.many-at-once-over-several-processes', async (t) => {
  const { recordInProcess, list } = await makeSuiteFixture();
  const part = (process: number) =>
    Array.from({ length: 20 }, (_, n) =>
      makeExecution({ name: `test ${n}`, commit: `c${process % 3}`, result: process % 2 ? 'passed' : 'failed' }),
    );
  await Promise.all([0, 1, 2, 3, 4, 5].map((process) => recordInProcess(process, part(process))));
  const { tests } = await list();
  t.deepEqual(new Set(tests.map(({ instances }) => instances)), new Set([3]));
  t.is(tests.length, 20);
});

test('record.late-executions-in-several-processes', async (t) => {
  const { record, recordInProcess, list } = await makeSuiteFixture();
  const times = [10, 8, 5];
  await record(
    times.flatMap((minute, n) => [
      makeExecution({ commit: `c${n}`, at: minutesAfterNine(minute - 1) }),
      makeExecution({ commit: `c${n}`, at: minutesAfterNine(minute), result: 'failed' }),
    ]),
  );
  // Each moves the occurrence of its commit back: which is the latest then, neither can tell without the other.
  await Promise.all(
    [0, 1].map((n) =>
      recordInProcess(n, [makeExecution({ commit: `c${n}`, at: minutesAfterNine(-9), result: 'failed' })]),
    ),
  );
  await Promise.all(
    [0, 1].map((n) => recordInProcess(n, [makeExecution({ commit: `c${n}`, at: minutesAfterNine(-9) })])),
  );
  t.is((await list()).tests[0]?.latest_occurrence_at, minutesAfterNine(5));
});
