import test from 'ava';
import fc from 'fast-check';
import type { Measurement } from '../parts/measure-peers.js';
import { changeRatio, compareResults } from './compare.js';
import type { Result } from './result.js';

const samples = fc.array(fc.double({ min: 1, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 5 });

test('compare.overlapping-samples-are-noise', (t) => {
  fc.assert(
    fc.property(samples, samples, (before, after) => {
      const overlap = Math.max(...before) >= Math.min(...after) && Math.max(...after) >= Math.min(...before);
      if (overlap) t.is(changeRatio(before, after), undefined);
    }),
    { seed: 1 },
  );
});

test('compare.the-reverse-comparison-gives-the-inverse-ratio', (t) => {
  fc.assert(
    fc.property(samples, samples, (before, after) => {
      const [there, back] = [changeRatio(before, after), changeRatio(after, before)];
      t.is(there === undefined, back === undefined);
      if (there !== undefined && back !== undefined) t.true(Math.abs(there * back - 1) < 1e-9);
    }),
    { seed: 2 },
  );
});

test('compare.twice-as-fast-is-reported', (t) => {
  t.is(changeRatio([100, 101, 99], [200, 202, 198]), 2);
  t.is(changeRatio([100], [105]), undefined);
  t.is(changeRatio([], [105]), undefined);
});

const measured = (peer: string, rounds: readonly number[]): Measurement => ({
  peer,
  endpoint: 'one build',
  perSecond: rounds[1] ?? 0,
  rounds,
  p50: 1,
  p99: 2,
  serverCpu: 10,
  databaseCpu: 10,
  memory: 1,
  bytes: 1,
});

const result = (own: readonly number[], bare: readonly number[]): Result => ({
  machine: { date: '2026-01-31', commit: 'abc' } as Result['machine'],
  size: 'quick',
  failed: [],
  parts: { postgres: [measured('millrace-pg', own), measured('bare-http', bare)] },
});

test('compare.a-slower-machine-makes-no-difference', (t) => {
  const text = compareResults(result([100, 100, 100], [1_000, 1_000, 1_000]), result([50, 50, 50], [500, 500, 500]));
  t.regex(text, /0 of 1 figures differ/);
});

test('compare.a-slower-server-is-reported', (t) => {
  const text = compareResults(
    result([100, 100, 100], [1_000, 1_000, 1_000]),
    result([50, 50, 50], [1_000, 1_000, 1_000]),
  );
  t.regex(text, /millrace-pg: one build \| 0.50 \| worse/);
});
