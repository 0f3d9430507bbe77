import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { advanceScenario, possibleActions, type Scenario } from './_build-actions.test.js';
import { anyJobs, makeJob } from './_job-arbitraries.test.js';
import { expectedBuildState, expectedJobStates } from './_reference-model.test.js';
import { advanceJobs, isUnblockable, type MachineJob } from './advance-jobs.js';
import { type BuildState, buildMachine, buildStates, isBlocked, isFinished } from './build.js';
import { deriveBuildEvent } from './derive-build-event.js';
import { isUnfinished, isWithAgent, type JobState } from './job.js';
import { step } from './machine.js';

test.before((t) => t.log(`seed ${seed}`));

/** The jobs that a new build has: some of its steps were skipped, since a branch filter left them out. */
const newJobs = fc.array(
  fc.record({
    type: fc.constantFrom<MachineJob['type']>('script', 'script', 'script', 'trigger', 'waiter', 'manual'),
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

const newScenario = (jobs: readonly MachineJob[]): Scenario => ({
  build: 'scheduled',
  jobs,
  started: false,
  history: { ended: 'no', hasBegun: false },
});

const endsBuild = (name: string) => name.startsWith('cancel') || name === 'skip';

function takeAction(scenario: Scenario, { rare, retry, pick }: Choice): { drive: Scenario; name: string } | undefined {
  const possible = possibleActions(scenario);
  const usual = possible.filter(({ name }) => endsBuild(name) === rare && name.startsWith('retry') === retry);
  const onward = possible.filter(({ name }) => !endsBuild(name));
  const list = [usual, onward, possible].find((some) => some.length > 0) ?? [];
  const action = list[pick % list.length];
  return action && { drive: action.run(scenario), name: action.name };
}

const currentJobs = (jobs: readonly MachineJob[]) => jobs.filter((one) => !one.retried);

/** What holds for every build that has settled. */
function check({ build, jobs, history, started }: Scenario): void {
  assert.equal(build, expectedBuildState(jobs, history), 'the two accounts of decisions 7 differ');
  assert.equal(deriveBuildEvent(build, jobs, started), undefined, 'not settled');
  assert.deepEqual(
    advanceJobs(jobs),
    jobs.map((one) => one.state),
    'progress has more to do',
  );
  const open = currentJobs(jobs).filter((one) => isUnfinished(one.state));
  const onlyBlocked = open.every((one) => one.state === 'blocked');
  assert.equal(
    isFinished(build),
    open.length === 0 || (onlyBlocked && build !== 'canceling'),
    'ended too early or too late',
  );
  assert.equal(isBlocked(build), open.length > 0 && isFinished(build), 'blocked without anything blocked');
  if (isBlocked(build))
    assert(
      jobs.some((_, index) => isUnblockable(jobs, index)),
      'blocked, and nothing to unblock',
    );
  else if (open.length > 0)
    assert(
      open.some((one) => isWithAgent(one.state) || ['scheduled', 'limiting', 'limited'].includes(one.state)),
      'stuck',
    );
}

interface ActionRun {
  readonly scenario: Scenario;
  readonly actionCount: number;
  readonly visited: ReadonlySet<string>;
}

function runActions(jobs: readonly MachineJob[], chosen: readonly Choice[]): ActionRun {
  let { drive: scenario } = advanceScenario(newScenario(jobs));
  check(scenario);
  const visited = new Set<string>([scenario.build]);
  let actionCount = 0;
  for (const choice of chosen) {
    const next = takeAction(scenario, choice);
    if (!next) break;
    const places = expectedJobStates(next.drive.jobs);
    ({ drive: scenario } = advanceScenario(next.drive));
    assert.deepEqual(
      scenario.jobs.map((one) => one.state),
      places,
      `after ${next.name}`,
    );
    check(scenario);
    visited.add(scenario.build);
    for (const one of scenario.jobs) visited.add(`job ${one.state}`);
    actionCount += 1;
  }
  return { scenario, actionCount, visited };
}

test('a build in any order of commands: both accounts agree after each, it ends when it should, and never gets stuck', (t) => {
  const seen = new Map<string, number>();
  const numRuns = scaledRuns(600);
  let long = 0;
  const property = fc.property(newJobs, choices, (jobs, chosen) => {
    const { visited, actionCount } = runActions(jobs, chosen);
    if (actionCount >= 50) long += 1;
    for (const state of visited) seen.set(state, (seen.get(state) ?? 0) + 1);
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns, includeErrorInReport: true }));
  t.log(`${long} of ${numRuns} builds took 50 commands or more`);
  if (numRuns < 300) return;
  t.true(long > numRuns / 4, 'most sequences are too short to find anything');
  for (const state of buildStates) t.true((seen.get(state) ?? 0) > 0, `no build was ever ${state}`);
});

/** Carries a build to its end, retrying whatever did not pass and unblocking whatever is blocked. */
function finish(start: Scenario): Scenario {
  let scenario = start;
  const good = /^(retry|assign|accept|start|pass|settle|unblock|schedule)/;
  for (let moves = 0; moves < 400; moves += 1) {
    const action = possibleActions(scenario).find(({ name }) => {
      const target = scenario.jobs[Number(name.split(' ').at(-1))];
      return good.test(name) && !(name.startsWith('retry') && (target?.state === 'passed' || target?.soft_failed));
    });
    if (!action) return scenario;
    ({ drive: scenario } = advanceScenario(action.run(scenario)));
    check(scenario);
  }
  return assert.fail('does not come to an end');
}

test('whatever was done to it, a build that may go on passes once all that failed was retried and all blocks are lifted', (t) => {
  const property = fc.property(newJobs, choices, (jobs, chosen) => {
    const { scenario } = runActions(jobs, chosen);
    const end = finish(scenario);
    const final: BuildState[] =
      scenario.build === 'skipped' || scenario.build === 'not_run' ? [scenario.build] : ['passed'];
    if (end.history.ended === 'canceling' || end.jobs.length === 0) final.push('canceled');
    if (!currentJobs(end.jobs).some((one) => one.type === 'script' || one.type === 'trigger'))
      final.push('canceled', 'failed');
    assert(final.includes(end.build), `ends ${end.build}`);
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: scaledRuns(400), includeErrorInReport: true }));
});

test('follow never asks for a move that the build does not take, for any jobs in any state', (t) => {
  const property = fc.property(fc.constantFrom(...buildStates), anyJobs, fc.boolean(), (build, jobs, started) => {
    const event = deriveBuildEvent(build, jobs, started);
    if (event) assert.notEqual(step(buildMachine, build, event), undefined, `${build} does not take ${event}`);
  });
  t.notThrows(() => fc.assert(property, { seed, numRuns: scaledRuns(2000), includeErrorInReport: true }));
});

test('a failing build whose failed job is run again is running again, even if nobody reopened it', (t) => {
  const jobs = [
    makeJob('script', 'failed', { retried: true }),
    makeJob('script', 'scheduled'),
    makeJob('script', 'running'),
  ];
  t.is(deriveBuildEvent('failing', jobs, true), 'reopen');
  t.is(deriveBuildEvent('running', jobs, true), undefined);
});

test('a soft failure does not fail the build (decisions 6)', (t) => {
  t.is(deriveBuildEvent('running', [makeJob('script', 'failed', { soft_failed: true })], true), 'pass');
  t.is(
    deriveBuildEvent(
      'running',
      [makeJob('script', 'failed', { soft_failed: true }), makeJob('script', 'failed')],
      true,
    ),
    'fail',
  );
});

test('a build none of whose steps ran was not run; barriers are no work, and work that was stopped is (decisions 7)', (t) => {
  t.is(deriveBuildEvent('scheduled', [makeJob('script', 'skipped'), makeJob('waiter', 'passed')], false), 'not_run');
  t.is(deriveBuildEvent('scheduled', [makeJob('waiter', 'passed')], false), 'pass');
  t.is(deriveBuildEvent('scheduled', [makeJob('script', 'skipped'), makeJob('script', 'canceled')], false), 'fail');
  t.is(deriveBuildEvent('running', [makeJob('script', 'skipped')], false), 'pass');
  t.is(deriveBuildEvent('scheduled', [], false), 'pass');
});
