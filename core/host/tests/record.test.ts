import test from 'ava';
import { Refusal } from '../../index.js';
import { at, execution, makeWorld } from './_suite.test.js';
import type { ExecutionInput } from './input.js';

test('record.one-flake', async (t) => {
  const { record, list } = await makeWorld();
  const place = { location: 'cart.js:3', file_name: 'cart.js' };
  t.deepEqual((await record([execution({ result: 'failed', at: at(1), ...place })])).flaky, []);
  t.deepEqual((await list()).tests, []);
  const { executions, flaky } = await record([execution({ at: at(2), ...place })]);
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
        latest_occurrence_at: at(2),
        most_recent_instance_at: at(2),
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
  const { record, list } = await makeWorld();
  await record([
    execution({ result: 'failed', commit: 'c1' }),
    execution({ result: 'passed', commit: 'c2' }),
    execution({ result: 'skipped', commit: 'c1' }),
    execution({ result: 'passed', commit: 'c1', scope: 'cart' }),
    execution({ result: 'passed', commit: 'C1' }),
  ]);
  await record([execution({ result: 'passed', commit: 'c1' })], 'other');
  t.deepEqual((await list()).tests, []);
});

test('record.out-of-order', async (t) => {
  const { record, list } = await makeWorld();
  const latest = async () => (await list()).tests.map((one) => [one.instances, one.latest_occurrence_at]);
  await record([execution({ at: at(10) }), execution({ at: at(20), result: 'failed' })]);
  await record([
    execution({ at: at(12), commit: 'c2' }),
    execution({ at: at(15), commit: 'c2', result: 'failed' }),
    execution({ at: at(11), commit: 'c3' }),
    execution({ at: at(13), commit: 'c3', result: 'failed' }),
  ]);
  t.deepEqual(await latest(), [[3, at(20)]]);
  await record([execution({ at: at(5), result: 'failed' })]);
  t.deepEqual(await latest(), [[3, at(15)]], 'it had both results at 10; the latest is on another commit now');
  await record([execution({ at: at(1), commit: 'c2', result: 'failed' })]);
  t.deepEqual(await latest(), [[3, at(13)]]);
  await record([execution({ at: at(1), commit: 'c3', result: 'failed' }), execution({ at: at(2), commit: 'c3' })]);
  t.deepEqual(await latest(), [[3, at(12)]]);
  await record([execution({ at: at(40) }), execution({ at: at(41), result: 'failed' })]);
  t.deepEqual(await latest(), [[3, at(12)]], 'more of the same adds no occurrence');
  t.is((await list()).tests[0]?.most_recent_instance_at, at(41));
});

test('record.latest-execution-tells-the-location', async (t) => {
  const { record, stored } = await makeWorld();
  const location = async () => (await stored())[0]?.location;
  await record([execution({ at: at(5), location: 'b:2' }), execution({ at: at(3), location: 'a:1' })]);
  t.is(await location(), 'b:2');
  await record([execution({ at: at(4), location: 'a:1' })]);
  t.is(await location(), 'b:2');
  await record([execution({ at: at(5), location: 'c:3' })]);
  t.is(await location(), 'c:3', 'at the same moment, what is recorded later');
});

test('record.branches', async (t) => {
  const { record, list } = await makeWorld();
  const on = async (branch: string) => (await list(`branch=${branch}`)).tests.length;
  await record([execution({ branch: 'topic' }), execution({ branch: 'calm', commit: 'c2' })]);
  t.is(await on('topic'), 0);
  await record([execution({ branch: 'main', result: 'failed' })]);
  t.deepEqual([await on('topic'), await on('main'), await on('calm')], [1, 1, 0]);
  await record([execution({ branch: 'later' })]);
  t.is(await on('later'), 1);
});

test('record.many-branches-of-one-commit', async (t) => {
  const { record, list } = await makeWorld();
  const branches = Array.from({ length: 150 }, (_, n) => `b${n}`);
  await record(branches.map((branch) => execution({ branch })));
  await record([execution({ result: 'failed', branch: 'last' })]);
  t.is((await list('branch=b99')).tests.length, 1);
  t.is((await list('branch=last')).tests.length, 1);
  t.is((await list('branch=b149')).tests.length, 0, 'only the first hundred are remembered');
  await record([execution({ branch: 'b149' })]);
  t.is((await list('branch=b149')).tests.length, 1, 'once it is flaky, none is missed');
});

test('record.time-of-recording', async (t) => {
  const { clock, record, stored } = await makeWorld();
  clock.advance(60_000);
  const { at: _, ...without } = execution({});
  await record([without]);
  t.is((await stored())[0]?.most_recent_instance_at, at(1));
  await record([execution({ at: '2026-01-05T12:30:00.1239+02:00' })]);
  t.is((await stored())[0]?.most_recent_instance_at, '2026-01-05T10:30:00.123Z');
});

test('record.event', async (t) => {
  const { api, record } = await makeWorld();
  const events: string[] = [];
  api.events.subscribe((event) => {
    if (event.type === 'test.flaky')
      events.push(JSON.stringify([event.data.name, event.data.commit, event.data.branches]));
  });
  await record([execution({ branch: 'topic' })]);
  await record([execution({ result: 'failed' }), execution({ result: 'failed' }), execution({ commit: 'c2' })]);
  await record([execution({ result: 'failed' })]);
  for (let turn = 0; turn < 100 && events.length === 0; turn += 1) await new Promise(setImmediate);
  t.deepEqual(events, ['["adds up","c1",["topic","main"]]']);
});

test('record.resolved-stays', async (t) => {
  const { api, clock, record, list } = await makeWorld();
  const { flaky } = await record([execution({}), execution({ result: 'failed' })]);
  const [id = ''] = flaky;
  clock.advance(60_000);
  const reply = await api.host.tests.resolve({ test: id.toUpperCase() });
  t.is(reply.last_resolved_at, at(1));
  await record([execution({ commit: 'c2', at: at(5) }), execution({ commit: 'c2', at: at(6), result: 'failed' })]);
  const { tests } = await list();
  t.deepEqual(
    tests.map((one) => [one.instances, one.last_resolved_at, one.latest_occurrence_at]),
    [[2, at(1), at(6)]],
  );
  clock.advance(60_000);
  await api.host.tests.resolve({ test: id });
  t.is((await list()).tests[0]?.last_resolved_at, at(2));
  for (const test of ['nope', '0190a000-0000-7000-8000-000000000000']) {
    await t.throwsAsync(api.host.tests.resolve({ test }), { message: 'No test found' });
  }
});

const broken: readonly (readonly [string, unknown, RegExp])[] = [
  ['null', null, /Executions\[1200\] must be an object/],
  ['text', 'failed', /Executions\[1200\] must be an object/],
  ['name', execution({ name: '' }), /Executions\[1200\] name can't be blank/],
  ['long name', execution({ name: 'x'.repeat(10_001) }), /Executions\[1200\] name is too long/],
  ['result', { ...execution({}), result: 'ok' }, /Executions\[1200\] result must be one of passed, failed, skipped/],
  ['commit', { ...execution({}), commit: undefined }, /Executions\[1200\] commit/],
  ['branch', execution({ branch: 'b'.repeat(256) }), /Executions\[1200\] branch is too long/],
  ['nul', execution({ location: 'a\u0000' }), /Executions\[1200\] location has a character that cannot be stored/],
  ['surrogate', execution({ scope: '\udc00' }), /Executions\[1200\] scope has a character that cannot be stored/],
  ['time', execution({ at: '2026-02-30' }), /Executions\[1200\] at must be an ISO 8601/],
];
for (const [name, one, message] of broken) {
  test(`record.refused.${name}`, async (t) => {
    const { record, stored } = await makeWorld();
    const many = Array.from({ length: 1_200 }, (_, n) => execution({ name: `test ${n}` }));
    await t.throwsAsync(record([...many, one as ExecutionInput]), { instanceOf: Refusal, message });
    t.deepEqual(await stored(), [], 'nothing is written, not even what stands before it');
  });
}

test('record.refused.suite', async (t) => {
  const { api, record } = await makeWorld();
  await t.throwsAsync(record([], 'none'), { message: 'No suite found' });
  const input = { organization: 'none', suite: 'web', executions: [] };
  await t.throwsAsync(api.host.tests.record(input), { message: 'No organization found' });
  await t.throwsAsync(api.host.tests.record({ ...input, suite: undefined as never }), {
    message: /Suite can't be blank/,
  });
  await t.throwsAsync(api.host.tests.record(undefined as never), { message: /Organization can't be blank/ });
  await t.throwsAsync(record({} as never), { message: /Executions must be an array/ });
});

test('record.many-commits-at-once', async (t) => {
  const { record, list } = await makeWorld();
  const all = Array.from({ length: 1_500 }, (_, n) =>
    execution({ commit: `c${n % 500}`, result: n < 500 ? 'failed' : 'passed', at: at(n % 90) }),
  );
  t.is((await record(all)).flaky.length, 1);
  t.is((await list()).tests[0]?.instances, 500);
});

test('record.many-at-once-over-several-processes', async (t) => {
  const { recordElsewhere, list } = await makeWorld();
  const part = (process: number) =>
    Array.from({ length: 20 }, (_, n) =>
      execution({ name: `test ${n}`, commit: `c${process % 3}`, result: process % 2 ? 'passed' : 'failed' }),
    );
  await Promise.all([0, 1, 2, 3, 4, 5].map((process) => recordElsewhere(process, part(process))));
  const { tests } = await list();
  t.deepEqual(new Set(tests.map(({ instances }) => instances)), new Set([3]));
  t.is(tests.length, 20);
});

test('record.late-executions-in-several-processes', async (t) => {
  const { record, recordElsewhere, list } = await makeWorld();
  const times = [10, 8, 5];
  await record(
    times.flatMap((minute, n) => [
      execution({ commit: `c${n}`, at: at(minute - 1) }),
      execution({ commit: `c${n}`, at: at(minute), result: 'failed' }),
    ]),
  );
  // Each moves the occurrence of its commit back: which is the latest then, neither can tell without the other.
  await Promise.all(
    [0, 1].map((n) => recordElsewhere(n, [execution({ commit: `c${n}`, at: at(-9), result: 'failed' })])),
  );
  await Promise.all([0, 1].map((n) => recordElsewhere(n, [execution({ commit: `c${n}`, at: at(-9) })])));
  t.is((await list()).tests[0]?.latest_occurrence_at, at(5));
});
