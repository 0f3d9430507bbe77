import test from 'ava';
import type { Measurement } from '../parts/measure-peers.js';
import { goalsOf, isReached } from './goals.js';

const measured = (peer: string, perSecond: number, cpu: number): Measurement => ({
  peer,
  endpoint: 'list, page 1',
  perSecond,
  rounds: [perSecond],
  p50: 1,
  p99: 2,
  serverCpu: cpu,
  databaseCpu: cpu,
  memory: 1,
  bytes: 1,
});

test('goals.a-ratio-is-taken-within-one-run', (t) => {
  const goals = goalsOf({ postgres: [measured('millrace-pg', 600, 10), measured('documents-pg', 100, 40)] });
  t.is(goals.length, 1);
  const [goal] = goals;
  t.is(goal?.reached, 6);
  t.is(goal?.byProcessor, 4);
  t.is(goal?.own, '600/s');
  t.true(goal !== undefined && isReached(goal));
});

test('goals.a-figure-that-is-missing-makes-no-goal', (t) => {
  t.deepEqual(goalsOf({}), []);
  t.deepEqual(goalsOf({ postgres: [measured('millrace-pg', 600, 10)] }), []);
});

test('goals.growth-is-the-ratio-of-the-last-point-to-the-first', (t) => {
  const curve = (what: string, last: number) => ({
    database: 'SQLite',
    what,
    points: [
      [10_000, 2],
      [100_000, 3],
      [1_000_000, last],
    ] as const,
  });
  const goals = goalsOf({
    growth: { curves: [curve('page 1', 2.8), curve('the farthest of 10,000 pages', 7)], plans: [] },
  });
  t.deepEqual(
    goals.map((goal) => [goal.goal, goal.reached, isReached(goal)]),
    [
      [1.5, 1.4, true],
      [3, 3.5, false],
    ],
  );
});

test('goals.times-are-judged-by-the-clock', (t) => {
  const figures = [
    { name: 'serve on SQLite to the first 200', value: 140, unit: 'ms' },
    { name: 'serve on SQLite to the first 200: by processor time', value: 90, unit: 'ms' },
    { name: 'bare node:http to the first 200', value: 60, unit: 'ms' },
  ];
  const [goal] = goalsOf({ start: figures });
  t.is(goal?.reached, 140);
  t.is(goal?.byProcessor, 90);
  t.is(goal?.other, '60 ms');
});
