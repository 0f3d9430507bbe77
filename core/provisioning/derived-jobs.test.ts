import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { advanceJobs, buildStates, deriveBuildEvent, isUnfinished } from '../machines/index.js';
import type { Row } from '../model/index.js';
import { noExistingRecords } from './existing-records.js';
import type { Fixture } from './fixture-schema.js';
import { decideLoad, planFixture } from './plan.js';
import type { IdSource } from './plan-draft.js';
import { Problems } from './problems.js';

const now = '2026-01-31T09:30:00.000Z';

/** Ids and secrets that are the same every time: a plan is a pure function. */
function fixedIdSource(): IdSource {
  let count = 0;
  const next = () => {
    count += 1;
    return String(count).padStart(12, '0');
  };
  return { id: () => `0190a000-0000-7000-8000-${next()}`, secret: (length) => next().padStart(length, 'x') };
}

const steps = fc.array(
  fc.record({
    type: fc.constantFrom('script', 'script', 'script', 'waiter', 'manual', 'trigger'),
    continue_on_failure: fc.boolean(),
    soft_fail: fc.constantFrom(false, false, true, [1, 2]),
    parallelism: fc.constantFrom(null, null, 2),
  }),
  { minLength: 1, maxLength: 7 },
);

function planBuild(build: object, pipeline: object) {
  const document = {
    organizations: [{ slug: 'acme' }],
    pipelines: [{ organization: 'acme', slug: 'web', repository: 'r', ...pipeline }],
    builds: [{ organization: 'acme', pipeline: 'web', commit: 'abc', branch: 'main', ...build }],
  } as Fixture;
  const plan = planFixture(document, noExistingRecords, now, fixedIdSource());
  if (plan instanceof Problems) return plan;
  const { batch } = decideLoad(plan, new Map([[plan.builds[0]?.build.pipeline_id ?? '', 1]]));
  const rows = <E extends 'build' | 'job'>(entity: E) =>
    batch.insert.flatMap((insert) => (insert.entity === entity ? [insert.row as Row<E>] : []));
  return { build: rows('build')[0] as Row<'build'>, jobs: rows('job') };
}

const anyWireState = fc.constantFrom(
  ...buildStates.map((state) =>
    state.startsWith('blocked_') ? { state: state.slice('blocked_'.length), blocked: true } : { state },
  ),
);

test('jobs derived from steps are in states that the state machines reach', (t) => {
  t.log(`seed ${seed}`);
  const property = fc.property(steps, anyWireState, (steps, build) => {
    const made = planBuild(build, { steps });
    if (made instanceof Problems) {
      assert.ok('blocked' in build && steps.every(({ type }) => type !== 'manual'));
      return;
    }
    const { state } = made.build;
    const states = made.jobs.map((job) => job.state);
    const ended = states.every((job) => !isUnfinished(job));
    if (['passed', 'failed', 'canceled', 'skipped', 'not_run'].includes(state)) assert.ok(ended, states.join(' '));
    if (state === 'scheduled')
      assert.ok(states.every((job) => !['running', 'passed', 'failed'].includes(job) || isBarrierPassed(made.jobs)));
    if (['scheduled', 'running', 'failing', 'passed', 'blocked_passed'].includes(state))
      assert.deepEqual(advanceJobs(made.jobs), states);
    if (['running', 'failing'].includes(state)) {
      const event = deriveBuildEvent(state as 'running', made.jobs, true);
      const idle = !states.includes('running');
      assert.ok(event === undefined || idle || (state === 'failing' && event === 'reopen'), `${event} of ${states}`);
    }
    if (state.startsWith('blocked_')) assert.ok(states.includes('blocked'));
    if (state === 'passed') assert.ok(!states.includes('failed'));
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: scaledRuns(1000) }));
});

/** Wait steps in front of everything pass before anything has run. */
const isBarrierPassed = (jobs: readonly Row<'job'>[]): boolean =>
  jobs.every(
    (job) => job.type === 'waiter' || job.type === 'manual' || !['running', 'passed', 'failed'].includes(job.state),
  );

test('times come in their order, whatever is left out', (t) => {
  const time = fc.option(
    fc.integer({ min: 0, max: 1_000_000 }).map((seconds) => new Date(1_700_000_000_000 + seconds * 1000).toISOString()),
    { nil: undefined },
  );
  const times = fc
    .tuple(time, time, time, time)
    .map((given) => {
      const [created_at, scheduled_at, started_at, finished_at] = inOrder(given);
      return { created_at, scheduled_at, started_at, finished_at };
    })
    .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  const property = fc.property(steps, anyWireState, times, (steps, build, times) => {
    const made = planBuild({ ...build, ...times }, { steps });
    if (made instanceof Problems) return;
    assert.ok(
      isAscending(made.build, ['created_at', 'scheduled_at', 'started_at', 'finished_at']),
      JSON.stringify(made.build),
    );
    for (const job of made.jobs) {
      assert.ok(isAscending(job, ['created_at', 'runnable_at', 'started_at', 'finished_at']), JSON.stringify(job));
      assert.equal(job.finished_at === null, isUnfinished(job.state));
    }
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: scaledRuns(1000) }));
});

/** The same gaps, with the times that are there sorted. */
function inOrder(times: readonly (string | undefined)[]): (string | undefined)[] {
  const sorted = times.filter((time) => time !== undefined).sort();
  return times.map((time) => (time === undefined ? undefined : sorted.shift()));
}

function isAscending<R>(row: R, columns: readonly (keyof R)[]): boolean {
  const times = columns.map((column) => row[column] as string | null).filter((time) => time !== null);
  return times.every((time, index) => index === 0 || (times[index - 1] as string) <= time);
}
