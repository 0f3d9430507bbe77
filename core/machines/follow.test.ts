import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { runs, seed } from '../../conformance/settings.js';
import { anyJobs, job } from './_any-jobs.test.js';
import { commands, type Drive, settle } from './_drive.test.js';
import { expectedBuild, expectedStates } from './_model.test.js';
import { type BuildState, buildMachine, buildStates, isBlocked, isFinished } from './build.js';
import { follow } from './follow.js';
import { isUnfinished, isWithAgent, type JobState } from './job.js';
import { step } from './machine.js';
import { isReached, type ProgressJob, progress } from './progress.js';

test.before((t) => t.log(`seed ${seed}`));

/** The jobs that a new build has: some of its steps were skipped, since a branch filter left them out. */
const newJobs = fc.array(
  fc.record({
    type: fc.constantFrom<ProgressJob['type']>('script', 'script', 'script', 'trigger', 'waiter', 'manual'),
    state: fc.constantFrom<JobState>('pending', 'pending', 'pending', 'pending', 'skipped'),
    soft_failed: fc.constant(false),
    retried: fc.constant(false),
    continue_on_failure: fc.boolean(),
  }),
  { maxLength: 9, size: 'medium' },
);

/** What to do next: a kind of command, and which of those that are possible then. Rare kinds would end every build early. */
const choices = fc.array(
  fc.record({
    rare: fc.integer({ min: 0, max: 39 }).map((roll) => roll === 0),
    retry: fc.integer({ min: 0, max: 3 }).map((roll) => roll === 0),
    pick: fc.nat({ max: 9999 }),
  }),
  { maxLength: 100, size: 'medium' },
);
type Choice = { readonly rare: boolean; readonly retry: boolean; readonly pick: number };

const create = (jobs: readonly ProgressJob[]): Drive => ({
  build: 'scheduled',
  jobs,
  started: false,
  story: { ended: 'no', begun: false },
});

const endsBuild = (name: string) => name.startsWith('cancel') || name === 'skip';

function act(drive: Drive, { rare, retry, pick }: Choice): { drive: Drive; name: string } | undefined {
  const possible = commands(drive);
  const usual = possible.filter(({ name }) => endsBuild(name) === rare && name.startsWith('retry') === retry);
  const onward = possible.filter(({ name }) => !endsBuild(name));
  const list = [usual, onward, possible].find((some) => some.length > 0) ?? [];
  const command = list[pick % list.length];
  return command && { drive: command.run(drive), name: command.name };
}

const live = (jobs: readonly ProgressJob[]) => jobs.filter((one) => !one.retried);

/** What holds for every build that has settled. */
function check({ build, jobs, story, started }: Drive): void {
  assert.equal(build, expectedBuild(jobs, story), 'the two accounts of decisions 7 differ');
  assert.equal(follow(build, jobs, started), undefined, 'not settled');
  assert.deepEqual(
    progress(jobs),
    jobs.map((one) => one.state),
    'progress has more to do',
  );
  const open = live(jobs).filter((one) => isUnfinished(one.state));
  const onlyBlocked = open.every((one) => one.state === 'blocked');
  assert.equal(
    isFinished(build),
    open.length === 0 || (onlyBlocked && build !== 'canceling'),
    'ended too early or too late',
  );
  assert.equal(isBlocked(build), open.length > 0 && isFinished(build), 'blocked without anything blocked');
  if (isBlocked(build))
    assert(
      jobs.some((_, index) => isReached(jobs, index)),
      'blocked, and nothing to unblock',
    );
  else if (open.length > 0)
    assert(
      open.some((one) => isWithAgent(one.state) || ['scheduled', 'limiting', 'limited'].includes(one.state)),
      'stuck',
    );
}

interface Walk {
  readonly drive: Drive;
  readonly done: number;
  readonly visited: ReadonlySet<string>;
}

function walk(jobs: readonly ProgressJob[], choose: readonly Choice[]): Walk {
  let { drive } = settle(create(jobs));
  check(drive);
  const visited = new Set<string>([drive.build]);
  let done = 0;
  for (const choice of choose) {
    const next = act(drive, choice);
    if (!next) break;
    const places = expectedStates(next.drive.jobs);
    ({ drive } = settle(next.drive));
    assert.deepEqual(
      drive.jobs.map((one) => one.state),
      places,
      `after ${next.name}`,
    );
    check(drive);
    visited.add(drive.build);
    for (const one of drive.jobs) visited.add(`job ${one.state}`);
    done += 1;
  }
  return { drive, done, visited };
}

test('a build in any order of commands: both accounts agree after each, it ends when it should, and never gets stuck', (t) => {
  const seen = new Map<string, number>();
  const numRuns = runs(600);
  let long = 0;
  const property = fc.property(newJobs, choices, (jobs, choose) => {
    const { visited, done } = walk(jobs, choose);
    if (done >= 50) long += 1;
    for (const state of visited) seen.set(state, (seen.get(state) ?? 0) + 1);
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns, includeErrorInReport: true }));
  t.log(`${long} of ${numRuns} builds took 50 commands or more`);
  if (numRuns < 300) return;
  t.true(long > numRuns / 4, 'most sequences are too short to find anything');
  for (const state of buildStates) t.true((seen.get(state) ?? 0) > 0, `no build was ever ${state}`);
});

/** Carries a build to its end, retrying whatever did not pass and unblocking whatever is blocked. */
function finish(start: Drive): Drive {
  let drive = start;
  const good = /^(retry|assign|accept|start|pass|settle|unblock|schedule)/;
  for (let moves = 0; moves < 400; moves += 1) {
    const command = commands(drive).find(({ name }) => {
      const target = drive.jobs[Number(name.split(' ').at(-1))];
      return good.test(name) && !(name.startsWith('retry') && (target?.state === 'passed' || target?.soft_failed));
    });
    if (!command) return drive;
    ({ drive } = settle(command.run(drive)));
    check(drive);
  }
  return assert.fail('does not come to an end');
}

test('whatever was done to it, a build that may go on passes once all that failed was retried and all blocks are lifted', (t) => {
  const property = fc.property(newJobs, choices, (jobs, choose) => {
    const { drive } = walk(jobs, choose);
    const end = finish(drive);
    const final: BuildState[] = drive.build === 'skipped' || drive.build === 'not_run' ? [drive.build] : ['passed'];
    if (end.story.ended === 'canceling' || end.jobs.length === 0) final.push('canceled');
    if (!live(end.jobs).some((one) => one.type === 'script' || one.type === 'trigger'))
      final.push('canceled', 'failed');
    assert(final.includes(end.build), `ends ${end.build}`);
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: runs(400), includeErrorInReport: true }));
});

test('follow never asks for a move that the build does not take, for any jobs in any state', (t) => {
  const property = fc.property(fc.constantFrom(...buildStates), anyJobs, fc.boolean(), (build, jobs, started) => {
    const event = follow(build, jobs, started);
    if (event) assert.notEqual(step(buildMachine, build, event), undefined, `${build} does not take ${event}`);
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: runs(2000), includeErrorInReport: true }));
});

test('a failing build whose failed job is run again is running again, even if nobody reopened it', (t) => {
  const jobs = [job('script', 'failed', { retried: true }), job('script', 'scheduled'), job('script', 'running')];
  t.is(follow('failing', jobs, true), 'reopen');
  t.is(follow('running', jobs, true), undefined);
});

test('a soft failure does not fail the build (decisions 6)', (t) => {
  t.is(follow('running', [job('script', 'failed', { soft_failed: true })], true), 'pass');
  t.is(follow('running', [job('script', 'failed', { soft_failed: true }), job('script', 'failed')], true), 'fail');
});

test('a build none of whose steps ran was not run; barriers are no work, and work that was stopped is (decisions 7)', (t) => {
  t.is(follow('scheduled', [job('script', 'skipped'), job('waiter', 'passed')], false), 'not_run');
  t.is(follow('scheduled', [job('waiter', 'passed')], false), 'pass');
  t.is(follow('scheduled', [job('script', 'skipped'), job('script', 'canceled')], false), 'fail');
  t.is(follow('running', [job('script', 'skipped')], false), 'pass');
  t.is(follow('scheduled', [], false), 'pass');
});
