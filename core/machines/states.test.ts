import test from 'ava';
import { agentStates, isConnected } from './agent.js';
import {
  acceptsRetries,
  buildMachine,
  buildStates,
  isBlocked,
  isCancelable,
  isFinished,
  isSkippable,
  stateFilter,
  wireState,
} from './build.js';
import {
  isBroken,
  isFailure,
  isRetriable,
  isStarted,
  isStopRequested,
  isUnfinished,
  isWithAgent,
  type JobState,
  jobMachine,
  jobStates,
} from './job.js';

/** All states that moves lead to from that one, however many it takes. */
function reachable(machine: Readonly<Record<string, Readonly<Record<string, string>>>>, from: string): Set<string> {
  const seen = new Set([from]);
  for (const state of seen) for (const next of Object.values(machine[state] ?? {})) seen.add(next);
  return seen;
}

test('every state of a job and of a build can be reached from the first one', (t) => {
  t.deepEqual([...reachable(jobMachine, 'pending')].sort(), [...jobStates].sort());
  t.deepEqual([...reachable(buildMachine, 'scheduled')].sort(), [...buildStates].sort());
});

test('a job can go from pending to passed (decisions 6)', (t) => {
  let state: JobState = 'pending';
  for (const event of ['schedule', 'assign', 'accept', 'start', 'pass'] as const) {
    const next: JobState | undefined = jobMachine[state][event];
    t.truthy(next);
    state = next ?? state;
  }
  t.is(state, 'passed');
});

test('every unfinished job can be canceled immediately, as the cancel of a build needs (decisions 7)', (t) => {
  for (const state of jobStates) {
    if (isUnfinished(state)) t.is(jobMachine[state].cancel, 'canceled', state);
    else t.is(jobMachine[state].cancel, undefined, state);
  }
});

test('every unfinished state of a job leads to a final state', (t) => {
  for (const state of jobStates)
    t.true([...reachable(jobMachine, state)].some((next) => !isUnfinished(next as JobState)));
});

test('every job that has not started can be skipped, as a newer build of the branch needs (decisions 7)', (t) => {
  for (const state of jobStates) {
    const untouched = isUnfinished(state) && !isWithAgent(state);
    t.is(jobMachine[state].skip, untouched ? 'skipped' : undefined, state);
  }
});

test('the sets of job states do not contradict each other', (t) => {
  for (const state of jobStates) {
    if (isWithAgent(state)) t.true(isUnfinished(state), state);
    if (isBroken(state)) t.false(isUnfinished(state) || isRetriable(state) || isFailure(state), state);
    if (isFailure(state)) t.true(isRetriable(state), state);
    if (isRetriable(state)) t.false(isUnfinished(state), state);
    t.is(isBroken(state), jobMachine[state].reopen !== undefined && state !== 'canceled', state);
  }
});

test('a build is canceled from scheduled, running and failing, and from nowhere else (spec 3.1)', (t) => {
  const states = buildStates.filter((state) => buildMachine[state].cancel !== undefined);
  t.deepEqual(states.sort(), ['failing', 'running', 'scheduled']);
  for (const state of states) {
    t.is(buildMachine[state].cancel, 'canceled');
    t.is(buildMachine[state].cancel_gracefully, 'canceling');
  }
});

test('unfinished builds are those in which something still happens; blocked ones are finished, and show what they were', (t) => {
  t.deepEqual(buildStates.filter((state) => !isFinished(state)).sort(), [
    'canceling',
    'failing',
    'running',
    'scheduled',
  ]);
  for (const state of buildStates) {
    t.is(isBlocked(state), state.startsWith('blocked_'));
    t.is(String(wireState(state)), state.replace('blocked_', ''));
  }
});

test('the state filter matches a blocked build as `blocked` and as the state it shows (decisions 7)', (t) => {
  for (const state of buildStates) {
    const matching = Object.entries(stateFilter).filter(([, states]) => (states as readonly string[]).includes(state));
    const shown = wireState(state);
    const expected = new Set<string>([shown]);
    if (isBlocked(state)) expected.add('blocked');
    if (isBlocked(state) || ['passed', 'failed', 'canceled'].includes(shown)) expected.add('finished');
    t.deepEqual(new Set(matching.map(([name]) => name)), expected, state);
  }
});

/** What follows from the tables, written out a second time: a new edge that changes one of these sets shows here. */
const derivedSets: readonly (readonly [name: string, states: readonly string[], expected: string])[] = [
  ['connected agents', agentStates.filter(isConnected), 'connected stopping'],
  ['cancelable builds', buildStates.filter(isCancelable), 'failing running scheduled'],
  ['skippable builds', buildStates.filter(isSkippable), 'scheduled'],
  ['blocked builds', buildStates.filter(isBlocked), 'blocked_failed blocked_passed'],
  [
    'builds that accept retries',
    buildStates.filter(acceptsRetries),
    'blocked_failed blocked_passed canceled failed failing passed running scheduled',
  ],
  [
    'unfinished jobs',
    jobStates.filter(isUnfinished),
    'accepted assigned blocked canceling limited limiting pending running scheduled timing_out waiting',
  ],
  ['jobs with an agent', jobStates.filter(isWithAgent), 'accepted assigned canceling running timing_out'],
  ['started jobs', jobStates.filter(isStarted), 'canceling running timing_out'],
  ['jobs told to end', jobStates.filter(isStopRequested), 'canceling timing_out'],
  ['broken jobs', jobStates.filter(isBroken), 'blocked_failed broken unblocked_failed waiting_failed'],
  ['retriable jobs', jobStates.filter(isRetriable), 'canceled expired failed passed timed_out'],
  ['failed jobs', jobStates.filter(isFailure), 'canceled expired failed timed_out'],
];

for (const [name, states, expected] of derivedSets) {
  test(`${name} are ${expected.replaceAll(' ', ', ')}`, (t) => {
    t.is([...states].sort().join(' '), expected);
  });
}
