import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import type { Row, Timestamp } from '../model/index.js';
import { makeJob as plainJob } from './_job-arbitraries.test.js';
import { type BuildHistory, expectedBuildState, expectedJobStates } from './_reference-model.test.js';
import { isUnblockable, type MachineJob } from './advance-jobs.js';
import { buildMachine, isFinished } from './build.js';
import { isRetriable, isUnfinished, type JobEvent, jobMachine } from './job.js';
import {
  advanceBuild,
  type BuildAggregate,
  cancelBuild,
  reopenBuild,
  skipBuild,
  transitionJob,
  unblockBuild,
} from './lifecycle.js';

test.before((t) => t.log(`seed ${seed}`));

type Job = Row<'job'>;
const secondsAfterStart = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString() as Timestamp;

/** Only what the machines look at; the rest of a row goes along unseen. */
const newJob = (id: string, given: MachineJob): Job =>
  ({
    ...given,
    id,
    created_at: secondsAfterStart(0),
    runnable_at: null,
    started_at: null,
    finished_at: isUnfinished(given.state) ? null : secondsAfterStart(0),
  }) as Job;

const newBuild = (jobs: readonly MachineJob[]): BuildAggregate => ({
  build: { id: 'b', state: 'scheduled', cancel_reason: null, started_at: null, finished_at: null } as Row<'build'>,
  jobs: jobs.map((job, index) => newJob(`j${index}`, job)),
});

type Action = readonly [name: string, run: (now: Timestamp) => BuildAggregate];

const agentEvents = ['assign', 'accept', 'release', 'start', 'pass', 'fail', 'time_out', 'settle', 'expire'] as const;

/** What a host may do, each by the call that it would use. */
function possibleActions(aggregate: BuildAggregate): Action[] {
  const { build, jobs } = aggregate;
  const found: Action[] = [];
  const withJob = (...replaced: Job[]) => jobs.flatMap((job) => (job.id === replaced[0]?.id ? replaced : [job]));
  const move = (job: Job, event: JobEvent): Action => [
    event,
    (now) => advanceBuild({ build, jobs: withJob(transitionJob(job, event, now)) }, now),
  ];
  for (const [index, job] of jobs.entries()) {
    if (isUnblockable(jobs, index)) found.push(['unblock', (now) => unblockBuild(aggregate, job.id, now)]);
    if (job.retried || job.type === 'waiter' || job.type === 'manual') continue;
    const ready = isUnfinished(job.state) && !['pending', 'waiting', 'blocked'].includes(job.state);
    if (ready) for (const event of agentEvents) if (jobMachine[job.state][event]) found.push(move(job, event));
    const mayRetry = !['canceling', 'skipped', 'not_run'].includes(build.state);
    const next = newJob(`${job.id}+`, plainJob(job.type, 'pending', { continue_on_failure: job.continue_on_failure }));
    if (mayRetry && isRetriable(job.state))
      found.push(['retry', (now) => reopenBuild({ build, jobs: withJob({ ...job, retried: true }, next) }, now)]);
  }
  if (buildMachine[build.state].cancel) {
    found.push(['cancel', (now) => cancelBuild(aggregate, 'immediate', 'why', now)]);
    found.push(['cancel', (now) => cancelBuild(aggregate, 'graceful', 'why', now)]);
  }
  if (buildMachine[build.state].skip) found.push(['skip', (now) => skipBuild(aggregate, now)]);
  return found;
}

function check({ build, jobs }: BuildAggregate, before: BuildAggregate, history: BuildHistory, now: Timestamp): void {
  assert.equal(build.state, expectedBuildState(jobs, history));
  assert.deepEqual(
    jobs.map((job) => job.state),
    expectedJobStates(jobs),
  );
  assert.equal(build.finished_at !== null, isFinished(build.state), 'finished_at says whether the build is finished');
  const wasFinished = isFinished(before.build.state) && before.build.state === build.state;
  if (wasFinished && before.build.finished_at)
    assert([before.build.finished_at, now].includes(build.finished_at ?? now));
  if (before.build.started_at) assert.equal(build.started_at, before.build.started_at, 'a build starts once');
  const hasStarted = jobs.some((job) => job.started_at !== null);
  assert.equal(build.started_at !== null, hasStarted, 'a build starts with the first of its jobs (spec 2.4)');
  if (build.cancel_reason === null) assert(!['canceled', 'canceling'].includes(build.state));
  for (const job of jobs) {
    assert.equal(job.finished_at !== null, !isUnfinished(job.state), `finished_at of a job that is ${job.state}`);
    const times = [job.created_at, job.runnable_at, job.started_at, job.finished_at].filter((time) => time !== null);
    assert.deepEqual(times, times.toSorted(), `times of a job out of order: ${times}`);
    if (['running', 'timing_out', 'canceling'].includes(job.state)) assert.notEqual(job.started_at, null);
  }
}

const endings: Partial<Record<BuildAggregate['build']['state'], BuildHistory['ended']>> = {
  canceled: 'canceled',
  canceling: 'canceling',
  skipped: 'skipped',
};

const steps = fc.array(
  fc.record({
    type: fc.constantFrom<MachineJob['type']>('script', 'script', 'trigger', 'waiter', 'manual'),
    state: fc.constantFrom<MachineJob['state']>('pending', 'pending', 'pending', 'skipped'),
    soft_failed: fc.constant(false),
    retried: fc.constant(false),
    continue_on_failure: fc.boolean(),
  }),
  { maxLength: 8, size: 'medium' },
);
const picks = fc.array(fc.nat({ max: 9999 }), { maxLength: 80, size: 'medium' });

test('builds changed through the lifecycle are where both accounts say, and their times fit their states', (t) => {
  const property = fc.property(steps, picks, (jobs, chosen) => {
    const fresh = newBuild(jobs);
    let now = secondsAfterStart(1);
    let aggregate = advanceBuild(fresh, now);
    let history: BuildHistory = { ended: 'no', hasBegun: !['scheduled', 'not_run'].includes(aggregate.build.state) };
    check(aggregate, fresh, history, now);
    chosen.forEach((pick, count) => {
      // Ways to end the build early are taken at every tenth pick only.
      const possible = possibleActions(aggregate).filter(
        ([name]) => pick % 10 === 0 || (name !== 'cancel' && name !== 'skip'),
      );
      const action = possible[Math.floor(pick / 10) % possible.length];
      if (!action) return;
      now = secondsAfterStart(count + 2);
      const before = aggregate;
      aggregate = action[1](now);
      if (action[0] === 'retry' || action[0] === 'unblock') history = { ended: 'no', hasBegun: true };
      if (action[0] === 'cancel' || action[0] === 'skip')
        history = { ended: endings[aggregate.build.state] ?? 'no', hasBegun: true };
      const hasBegun =
        history.hasBegun || action[0] === 'start' || expectedBuildState(aggregate.jobs, history) !== 'scheduled';
      history = { ...history, hasBegun };
      check(aggregate, before, history, now);
    });
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: scaledRuns(500), includeErrorInReport: true }));
});
