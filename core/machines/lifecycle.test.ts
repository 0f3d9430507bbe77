import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { runs, seed } from '../../conformance/settings.js';
import type { Row, Timestamp } from '../model/index.js';
import { job as plainJob } from './_any-jobs.test.js';
import { expectedBuild, expectedStates, type Story } from './_model.test.js';
import { buildMachine, isFinished } from './build.js';
import { isRetriable, isUnfinished, type JobEvent, jobMachine } from './job.js';
import { type Aggregate, cancelBuild, moveJob, reopenBuild, settle, skipBuild, unblock } from './lifecycle.js';
import { isReached, type ProgressJob } from './progress.js';

test.before((t) => t.log(`seed ${seed}`));

type Job = Row<'job'>;
const moment = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString() as Timestamp;

/** Only what the machines look at; the rest of a row goes along unseen. */
const newJob = (id: string, given: ProgressJob): Job =>
  ({
    ...given,
    id,
    created_at: moment(0),
    runnable_at: null,
    started_at: null,
    finished_at: isUnfinished(given.state) ? null : moment(0),
  }) as Job;

const newBuild = (jobs: readonly ProgressJob[]): Aggregate => ({
  build: { id: 'b', state: 'scheduled', cancel_reason: null, started_at: null, finished_at: null } as Row<'build'>,
  jobs: jobs.map((job, index) => newJob(`j${index}`, job)),
});

type Act = readonly [name: string, run: (now: Timestamp) => Aggregate];

const byAgents = ['assign', 'accept', 'release', 'start', 'pass', 'fail', 'time_out', 'settle', 'expire'] as const;

/** What a host may do, each by the call that it would use. */
function acts(aggregate: Aggregate): Act[] {
  const { build, jobs } = aggregate;
  const found: Act[] = [];
  const withJob = (...replaced: Job[]) => jobs.flatMap((job) => (job.id === replaced[0]?.id ? replaced : [job]));
  const move = (job: Job, event: JobEvent): Act => [
    event,
    (now) => settle({ build, jobs: withJob(moveJob(job, event, now)) }, now),
  ];
  for (const [index, job] of jobs.entries()) {
    if (isReached(jobs, index)) found.push(['unblock', (now) => unblock(aggregate, job.id, now)]);
    if (job.retried || job.type === 'waiter' || job.type === 'manual') continue;
    const ready = isUnfinished(job.state) && !['pending', 'waiting', 'blocked'].includes(job.state);
    if (ready) for (const event of byAgents) if (jobMachine[job.state][event]) found.push(move(job, event));
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

function check({ build, jobs }: Aggregate, before: Aggregate, story: Story, now: Timestamp): void {
  assert.equal(build.state, expectedBuild(jobs, story));
  assert.deepEqual(
    jobs.map((job) => job.state),
    expectedStates(jobs),
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

const endings: Partial<Record<Aggregate['build']['state'], Story['ended']>> = {
  canceled: 'canceled',
  canceling: 'canceling',
  skipped: 'skipped',
};

const steps = fc.array(
  fc.record({
    type: fc.constantFrom<ProgressJob['type']>('script', 'script', 'trigger', 'waiter', 'manual'),
    state: fc.constantFrom<ProgressJob['state']>('pending', 'pending', 'pending', 'skipped'),
    soft_failed: fc.constant(false),
    retried: fc.constant(false),
    continue_on_failure: fc.boolean(),
  }),
  { maxLength: 8, size: 'medium' },
);
const picks = fc.array(fc.nat({ max: 9999 }), { maxLength: 80, size: 'medium' });

test('builds changed through the lifecycle are where both accounts say, and their times fit their states', (t) => {
  const property = fc.property(steps, picks, (jobs, choose) => {
    const fresh = newBuild(jobs);
    let now = moment(1);
    let aggregate = settle(fresh, now);
    let story: Story = { ended: 'no', begun: !['scheduled', 'not_run'].includes(aggregate.build.state) };
    check(aggregate, fresh, story, now);
    choose.forEach((pick, count) => {
      // Ways to end the build early are taken at every tenth pick only.
      const possible = acts(aggregate).filter(([name]) => pick % 10 === 0 || (name !== 'cancel' && name !== 'skip'));
      const act = possible[Math.floor(pick / 10) % possible.length];
      if (!act) return;
      now = moment(count + 2);
      const before = aggregate;
      aggregate = act[1](now);
      if (act[0] === 'retry' || act[0] === 'unblock') story = { ended: 'no', begun: true };
      if (act[0] === 'cancel' || act[0] === 'skip')
        story = { ended: endings[aggregate.build.state] ?? 'no', begun: true };
      const begun = story.begun || act[0] === 'start' || expectedBuild(aggregate.jobs, story) !== 'scheduled';
      story = { ...story, begun };
      check(aggregate, before, story, now);
    });
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: runs(500), includeErrorInReport: true }));
});
