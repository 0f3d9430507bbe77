import assert from 'node:assert/strict';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { anyJobs, makeJob } from './_job-arbitraries.test.js';
import { expectedJobStates } from './_reference-model.test.js';
import { advanceJobs, isUnblockable, type MachineJob, reopenBarriers } from './advance-jobs.js';
import { type JobState, jobMachine } from './job.js';

test.before((t) => t.log(`seed ${seed}`));

/** Asserts inside a property throw plainly, so that counterexamples get shrunk before the test runner sees them. */
const checkProperty = <T>(t: ExecutionContext, property: fc.IProperty<T>) =>
  t.notThrows(() => fc.assert(property, { seed, numRuns: scaledRuns(2000), includeErrorInReport: true }));

const advanced = (jobs: readonly MachineJob[]) => {
  const states = advanceJobs(jobs);
  return jobs.map((before, index) => ({ ...before, state: states[index] ?? before.state }));
};
const beforeAndAfter = (jobs: readonly MachineJob[]) =>
  advanced(jobs).map((now, index) => ({ was: jobs[index] ?? now, now, index }));

/** The states that so many moves lead to. */
function statesWithin(moves: number, from: JobState): Set<JobState> {
  let reached = new Set([from]);
  for (let done = 0; done < moves; done += 1)
    reached = new Set([...reached].flatMap((state) => [state, ...Object.values(jobMachine[state])]));
  return reached;
}

test('advanceJobs agrees with the model, job by job', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      assert.deepEqual(advanceJobs(jobs), expectedJobStates(jobs));
    }),
  );
});

test('advanceJobs is idempotent', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      assert.deepEqual(advanceJobs(advanced(jobs)), advanceJobs(jobs));
    }),
  );
});

test('advanceJobs uses only transitions of the table, and at most three for a job', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      for (const { was, now } of beforeAndAfter(jobs))
        assert.ok(statesWithin(3, was.state).has(now.state), `${was.state} → ${now.state}`);
    }),
  );
});

test('advanceJobs does not change jobs that have started, have ended or were retried', (t) => {
  const untouched = ['limiting', 'limited', 'scheduled', 'assigned', 'accepted', 'running', 'passed', 'failed'];
  untouched.push('canceling', 'canceled', 'timing_out', 'timed_out', 'skipped', 'expired', 'unblocked');
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      for (const { was, now } of beforeAndAfter(jobs))
        if (was.retried || untouched.includes(was.state)) assert.equal(now.state, was.state);
    }),
  );
});

test('nothing becomes scheduled unless every wait and block step before it has let the build go on', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      for (const { was, now, index } of beforeAndAfter(jobs)) {
        if (now.state !== 'scheduled' || was.state === 'scheduled') continue;
        assert.ok(now.type === 'script' || now.type === 'trigger');
        for (const earlier of advanced(jobs).slice(0, index))
          if (!earlier.retried && (earlier.type === 'waiter' || earlier.type === 'manual'))
            assert.ok(['passed', 'unblocked', 'skipped'].includes(earlier.state), earlier.state);
      }
    }),
  );
});

test('no wait step passes and no block step is reached while work before it is under way or has failed hard', (t) => {
  const underWay = [
    'pending',
    'waiting',
    'blocked',
    'limiting',
    'limited',
    'scheduled',
    'assigned',
    'accepted',
    'running',
  ];
  underWay.push('canceling', 'timing_out');
  const failures = ['failed', 'timed_out', 'expired', 'canceled'];
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      const now = advanced(jobs);
      for (const { was, now: then, index } of beforeAndAfter(jobs)) {
        const passes = then.state === 'passed' && was.state !== 'passed';
        if (then.retried || !(passes || isUnblockable(now, index))) continue;
        for (const earlier of now.slice(0, index).filter((one) => !one.retried)) {
          assert.ok(!underWay.includes(earlier.state), earlier.state);
          if (!then.continue_on_failure)
            assert.ok(earlier.soft_failed || !failures.includes(earlier.state), earlier.state);
        }
      }
    }),
  );
});

test('soft failures and retried jobs do not hold up later jobs', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      const softened = jobs.map((one) =>
        one.state === 'failed' && !one.retried ? { ...one, soft_failed: true } : one,
      );
      const passing = softened.map((one) =>
        one.state === 'failed' && !one.retried ? { ...one, state: 'passed' as const } : one,
      );
      const put = (states: JobState[]) => states.map((state) => (state === 'failed' ? 'passed' : state));
      const hide = (list: readonly MachineJob[]) => list.filter((one) => !one.retried);
      assert.deepEqual(put(advanceJobs(hide(softened))), put(advanceJobs(hide(passing))));
      assert.deepEqual(
        advanceJobs(hide(jobs)),
        advanceJobs(jobs).filter((_, index) => !jobs[index]?.retried),
      );
    }),
  );
});

test('no states make it throw, not even those that no build reaches', (t) => {
  const all = Object.keys(jobMachine) as JobState[];
  const wild = anyJobs.chain((jobs) =>
    fc.tuple(...jobs.map((one) => fc.constantFrom(...all).map((state) => ({ ...one, state })))),
  );
  checkProperty(
    t,
    fc.property(wild, (jobs) => {
      assert.equal(advanceJobs(jobs).length, jobs.length);
      assert.deepEqual(advanceJobs(advanced(jobs)), advanceJobs(jobs));
    }),
  );
});

test('a skipped wait or block step has no effect', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      const gone = (one: MachineJob) => one.state === 'skipped' && (one.type === 'waiter' || one.type === 'manual');
      assert.deepEqual(
        advanceJobs(jobs).filter((_, index) => !gone(jobs[index] ?? makeJob('script', 'pending'))),
        advanceJobs(jobs.filter((one) => !gone(one))),
      );
    }),
  );
});

const states = (jobs: MachineJob[]) => advanceJobs(jobs).join(' ');

test('a skipped wait step does not break what waits behind an earlier one', (t) => {
  const jobs = [
    makeJob('script', 'running'),
    makeJob('waiter', 'pending'),
    makeJob('waiter', 'skipped'),
    makeJob('script', 'pending'),
  ];
  t.is(states(jobs), 'running waiting skipped waiting');
});

test('a block step that failed after it was unblocked comes back when what failed is run again', (t) => {
  const jobs = [makeJob('script', 'passed'), makeJob('manual', 'unblocked_failed'), makeJob('script', 'broken')];
  t.is(states(jobs), 'passed unblocked scheduled');
  t.is(states([makeJob('script', 'running'), ...jobs.slice(1)]), 'running unblocked_failed broken');
  t.is(states([makeJob('script', 'failed'), ...jobs.slice(1)]), 'failed unblocked_failed broken');
});

test('wait steps that were canceled with their build come back when a job of it is retried', (t) => {
  const jobs = [
    makeJob('script', 'canceled', { retried: true }),
    makeJob('script', 'pending'),
    makeJob('waiter', 'canceled'),
    makeJob('script', 'canceled', { retried: true }),
    makeJob('script', 'pending'),
  ];
  const reopened = jobs.map((one, index) => ({ ...one, state: reopenBarriers(jobs)[index] ?? one.state }));
  t.is(states(reopened), 'canceled scheduled waiting canceled waiting');
});

test('reopening changes nothing but canceled wait and block steps', (t) => {
  checkProperty(
    t,
    fc.property(anyJobs, (jobs) => {
      reopenBarriers(jobs).forEach((state, index) => {
        const was = jobs[index] ?? makeJob('script', 'pending');
        const comesBack = was.state === 'canceled' && (was.type === 'waiter' || was.type === 'manual') && !was.retried;
        assert.equal(state, comesBack ? 'pending' : was.state);
      });
    }),
  );
});

test('a block step is reached when it is blocked and everything before it has ended', (t) => {
  const jobs = [
    makeJob('script', 'passed'),
    makeJob('manual', 'blocked'),
    makeJob('script', 'blocked'),
    makeJob('manual', 'blocked'),
  ];
  t.deepEqual(
    jobs.map((_, index) => isUnblockable(jobs, index)),
    [false, true, false, false],
  );
  t.false(isUnblockable(jobs, 9));
  t.true(isUnblockable([makeJob('script', 'running', { retried: true }), makeJob('manual', 'blocked')], 1));
});
