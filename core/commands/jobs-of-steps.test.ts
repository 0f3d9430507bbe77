import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import type { Row, Step } from '../model/index.js';
import { expandSteps, jobsOfSteps, queueKeyOf } from './jobs-of-steps.js';

const settings = { seed, numRuns: scaledRuns(500) };
const now = '2026-01-01T00:00:00.000Z';

const blank: Step = {
  id: 'step',
  type: 'script',
  key: null,
  name: null,
  command: null,
  script_path: null,
  artifact_paths: null,
  agent_query_rules: [],
  parallelism: null,
  matrix: null,
  soft_fail: false,
  automatic_retry: [],
  timeout_in_minutes: null,
  continue_on_failure: false,
  branches: null,
  signature: null,
};

const step: fc.Arbitrary<Step> = fc
  .record({
    key: fc.option(fc.constantFrom('build', 'test')),
    type: fc.constantFrom('script', 'script', 'waiter', 'manual', 'trigger'),
    parallelism: fc.option(fc.integer({ min: 1, max: 4 })),
    matrix: fc.option(
      fc.dictionary(
        fc.constantFrom('os', 'node', 'db'),
        fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }),
        {
          minKeys: 1,
          noNullPrototype: true,
        },
      ),
    ),
    branches: fc.option(fc.constantFrom('main', '!main', 'other')),
    agent_query_rules: fc.subarray(['os=linux', 'queue=large', 'queue=none']),
  })
  .map((chosen) => ({ ...blank, ...chosen }) as Step);

const combinations = (matrix: Step['matrix']): number =>
  Object.values(matrix ?? {}).reduce((product, values) => product * values.length, 1);

test('a step runs once for every combination of its matrix and every parallel index, each of them once', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), (steps) => {
        for (const one of steps) {
          const made = expandSteps([one]);
          t.is(made.length, combinations(one.matrix) * (one.parallelism ?? 1));
          t.is(new Set(made.map(({ index, matrix }) => JSON.stringify([index, matrix]))).size, made.length);
          for (const { index, total, matrix } of made) {
            t.is(total, one.parallelism);
            t.true(one.parallelism === null ? index === null : index !== null && index >= 0 && index < one.parallelism);
            t.deepEqual(Object.keys(matrix ?? {}), Object.keys(one.matrix ?? {}));
            for (const [dimension, value] of Object.entries(matrix ?? {}))
              t.true(one.matrix?.[dimension]?.includes(value));
          }
        }
        t.deepEqual(
          expandSteps(steps),
          steps.flatMap((one) => expandSteps([one])),
        );
      }),
      settings,
    ),
  );
});

test('jobs stand in the order of their steps with ids of their own; a step that excludes the branch is skipped', (t) => {
  const queues = new Map([
    ['', 'queue-default'],
    ['large', 'queue-large'],
  ]);
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), fc.option(fc.constant('cluster')), (steps, cluster) => {
        const pipeline = {
          id: 'p',
          slug: 'web',
          organization_id: 'o',
          cluster_id: cluster,
          steps,
        } as unknown as Row<'pipeline'>;
        const made = expandSteps(steps);
        const ids = made.map((_, index) => `job-${index}`);
        const jobs = jobsOfSteps({ pipeline, build: { id: 'b', number: 7, branch: 'main' }, queues }, ids, now);
        t.deepEqual(
          jobs.map((job) => job.id),
          ids,
        );
        t.deepEqual(
          jobs.map((job) => job.position),
          made.map((_, index) => index),
        );
        for (const [index, job] of jobs.entries()) {
          const source = made[index]?.step as Step;
          const skipped = source.branches === '!main' || source.branches === 'other';
          t.is(job.state, skipped ? 'skipped' : 'pending');
          t.is(job.finished_at, skipped ? now : null);
          const key = queueKeyOf(source.agent_query_rules);
          t.is(job.cluster_queue_id, source.type === 'script' ? (queues.get(key) ?? null) : null);
          t.is(job.cluster_id, source.type === 'script' ? cluster : null);
          t.deepEqual([job.parallel_group_index, job.parallel_group_total], [
            made[index]?.index,
            made[index]?.total,
          ] as never);
        }
      }),
      settings,
    ),
  );
});

test('the first rule that names a queue says which', (t) => {
  t.is(queueKeyOf([]), '');
  t.is(queueKeyOf(['os=linux']), '');
  t.is(queueKeyOf(['myqueue=a', 'queue=b=c', 'queue=d']), 'b=c');
});
