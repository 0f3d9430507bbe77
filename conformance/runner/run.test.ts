import { deepStrictEqual, strictEqual } from 'node:assert';
import test from 'ava';
import fc from 'fast-check';
import { StorageUnavailable } from '../../core/ports/index.js';
import { assertProperty } from '../arbitraries/property.js';
import type { Case } from '../case.js';
import { propertyParameters, seed } from '../property-settings.js';
import { level, type OpenedHarness } from './level.js';
import { serviceLevel, storageLevel, transportLevel } from './levels.js';
import { parseReplay } from './replay.js';
import { isGood, type Report } from './result.js';
import { type RunOptions, runSuite, selectCases } from './run.js';

const one = (id: string, run: () => Promise<void>, needs: readonly string[] = []): Case<void> => ({
  id,
  cites: 'made up',
  needs,
  run,
});
const open = async (): Promise<OpenedHarness<void>> => ({ harness: undefined, close: async () => {} });

const run = (cases: readonly Case<void>[], options: Partial<RunOptions> = {}): Promise<Report> =>
  runSuite({ levels: [level('made-up', cases, open, async () => ['wings'])], seed: 7, ...options });

const statusesOf = ({ results }: Report) => Object.fromEntries(results.map(({ id, status }) => [id, status]));

const right = one('right', async () => {});
const wrong = one('wrong', async () => deepStrictEqual({ sum: 3 }, { sum: 4 }));
/** Two properties, of which the second fails from 100 on. */
const property = one('property', async () => {
  await assertProperty(fc.nat(), 10, async () => {});
  await assertProperty(fc.nat({ max: 1_000_000 }), 50, async (value) => strictEqual(value < 100, true));
});

test.serial('each case gets its status: passed, failed, in error or skipped', async (t) => {
  const report = await run([
    right,
    wrong,
    one('declared', async () => {}, ['wings']),
    one('unclaimed', async () => {}, ['wings', 'gills']),
    one('thrown', () => Promise.reject(new TypeError('no method'))),
    one('away', () => Promise.reject(new StorageUnavailable('gone'))),
    one('nothing', () => Promise.reject(undefined)),
  ]);
  t.deepEqual(statusesOf(report), {
    right: 'Pass',
    wrong: 'Fail',
    declared: 'Pass',
    unclaimed: 'Skip',
    thrown: 'Fail',
    away: 'Error',
    nothing: 'Fail',
  });
  const of = (id: string) => report.results.find((result) => result.id === id);
  t.is(of('unclaimed')?.reason, 'needs gills, which is not declared');
  t.is(of('thrown')?.fault?.message, 'TypeError: no method');
  t.like(of('wrong')?.fault, { wanted: '{ sum: 4 }', got: '{ sum: 3 }', replay: '7' });
  t.false(isGood(report));
  t.true(isGood(await run([right])));
  t.false(isGood(await run([])), 'a run without cases proves nothing');
});

test.serial('a property that fails shrinks, and its replay finds the same values in one run', async (t) => {
  const [found] = (await run([property])).results;
  t.is(found?.status, 'Fail');
  t.is(found?.fault?.counterexample, '[100]');
  t.is(found?.fault?.wanted, 'true');
  const text = found?.fault?.replay ?? '';
  t.regex(text, /^7\|[\d:]+\|2$/);
  const replay = parseReplay(text);
  t.truthy(replay);
  const [again] = (await run([property], { seed: 99, ...(replay && { replay }) })).results;
  t.is(again?.fault?.counterexample, '[100]');
  t.is(again?.fault?.replay, text);
  t.is(again?.fault?.tried?.runs, 1);
});

test.serial('a failure that depends on earlier values is replayed from the seed of its case', async (t) => {
  const counting = one('counting', async () => {
    let calls = 0;
    await assertProperty(fc.nat(), 20, async () => strictEqual(++calls < 5, true));
  });
  const [found] = (await run([counting])).results;
  t.is(found?.fault?.replay, '7');
  const [again] = (await run([counting], { replay: { seed: 7 } })).results;
  t.deepEqual(again?.fault, { ...found?.fault, replay: again?.fault?.replay });
});

test.serial('the same seed produces the same report, another seed other values', async (t) => {
  const seen: string[] = [];
  const sampling = one('sampling', () =>
    assertProperty(fc.string(), 5, async (value) => {
      seen.push(value);
    }),
  );
  const reports = [await run([sampling, property]), await run([sampling, property])];
  t.deepEqual(reports[0], reports[1]);
  t.deepEqual(seen.slice(0, 5), seen.slice(5));
  await run([sampling], { seed: 8, runs: 2 });
  t.is(seen.length, 20, 'twice as many runs');
  t.notDeepEqual(seen.slice(10, 15), seen.slice(0, 5));
});

test.serial('a run restores the settings of properties', async (t) => {
  const before = seed;
  await run([property], { seed: before + 1 });
  t.is(seed, before);
  t.false('reporter' in propertyParameters(1));
});

test.serial('a failing harness is an error, not a failure', async (t) => {
  const broken = (how: () => Promise<OpenedHarness<void>>, cases = [right]) =>
    runSuite({ levels: [level('made-up', cases, how)], seed: 7 });
  const [opening] = (await broken(() => Promise.reject(new Error('no disk')))).results;
  t.like(opening, { status: 'Error', fault: { message: 'The harness could not be opened: no disk' } });
  const close = () => Promise.reject(new Error('stuck'));
  const [closing] = (await broken(async () => ({ harness: undefined, close }))).results;
  t.like(closing, { status: 'Error', fault: { message: 'The harness could not be closed: stuck' } });
  const [failing] = (await broken(async () => ({ harness: undefined, close }), [wrong])).results;
  t.is(failing?.status, 'Fail', 'the failure of the case has precedence');
});

test.serial('a harness that fails within a property is an error too', async (t) => {
  const storages = storageLevel({ open: () => Promise.reject(new Error('no server')), reopen: (storage) => storage });
  const { results } = await runSuite({
    levels: [storages],
    seed: 7,
    only: (id) => /^storage.(capabilities|find.build)/.test(id),
  });
  t.true(results.length > 3);
  for (const { status, fault } of results) {
    t.is(status, 'Error');
    t.is(fault?.message, 'The storage could not be opened: no server');
  }
});

test.serial(
  'if the capabilities cannot be read, one case reports the error and the others are not reached',
  async (t) => {
    const storages = storageLevel({ open: () => Promise.reject(new Error('no server')) });
    const { results } = await runSuite({ levels: [storages], seed: 7 });
    t.is(results[0]?.status, 'Error');
    t.true(results.slice(1).every(({ status }) => status === 'NotReached'));
  },
);

test.serial('an aborted run reports the running case and the later ones as not reached', async (t) => {
  const stop = new AbortController();
  const endless = one('endless', () => {
    stop.abort();
    return new Promise(() => {});
  });
  const heard: string[] = [];
  const report = await run([right, endless, wrong], {
    signal: stop.signal,
    onResult: ({ id }, done, total) => heard.push(`${id} ${done}/${total}`),
  });
  t.deepEqual(statusesOf(report), { right: 'Pass', endless: 'NotReached', wrong: 'NotReached' });
  t.deepEqual(heard, ['right 1/3', 'endless 2/3', 'wrong 3/3']);
  t.false(isGood(report));
});

test.serial('durations come from the clock, and a case can time out', async (t) => {
  let time = 0;
  const { results } = await run([one('endless', () => new Promise(() => {}))], {
    now: () => (time += 5),
    withTimeout: () => Promise.reject(new Error('too long')),
  });
  t.like(results[0], { took: 5, fault: { message: 'too long' } });
});

test.serial('two runs at the same time are refused', async (t) => {
  const first = run([property]);
  await t.throwsAsync(run([right]), { message: /^A run is in progress/ });
  t.is((await first).results.length, 1);
  t.true(isGood(await run([right])));
});

test.serial('the report has only the selected cases', async (t) => {
  const report = await run([right, wrong], { only: (id) => id === 'right' });
  t.deepEqual(statusesOf(report), { right: 'Pass' });
});

test.serial('parseReplay reads formatted replays and refuses other texts', (t) => {
  t.deepEqual(parseReplay('-42'), { seed: -42 });
  t.deepEqual(parseReplay('42|3:1'), { seed: 42, path: '3:1', property: 1 });
  t.deepEqual(parseReplay('42|3|12'), { seed: 42, path: '3', property: 12 });
  for (const text of ['', 'x', '42|', '42|a', '42|1|0', '42|1:|1', '4.2', '42 '])
    t.is(parseReplay(text), undefined, text);
});

test.serial('every case of the suite has a unique id, so that a replay names one case', (t) => {
  const storage = { open: () => Promise.reject(new Error('is not opened')) };
  const overSockets = { open: () => Promise.reject(new Error('is not opened')) };
  const ids = selectCases({ levels: [storageLevel(storage), serviceLevel(storage), transportLevel(overSockets, [])] });
  t.true(ids.length > 400);
  t.is(new Set(ids.map(({ id }) => id)).size, ids.length);
});
