import test from 'ava';
import { buildMachine, buildStates, isBlocked, isFinished, stateFilter, wireState } from './build.js';
import {
  isBroken,
  isFailure,
  isRetriable,
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

test('the main road of a job is open (decisions 6)', (t) => {
  let state: JobState = 'pending';
  for (const event of ['schedule', 'assign', 'accept', 'start', 'pass'] as const) {
    const next: JobState | undefined = jobMachine[state][event];
    t.truthy(next);
    state = next ?? state;
  }
  t.is(state, 'passed');
});

test('whatever is unfinished can be canceled at once, as the cancel of a build needs (decisions 7)', (t) => {
  for (const state of jobStates) {
    if (isUnfinished(state)) t.is(jobMachine[state].cancel, 'canceled', state);
    else t.is(jobMachine[state].cancel, undefined, state);
  }
});

test('from every unfinished state of a job some end can be reached', (t) => {
  for (const state of jobStates)
    t.true([...reachable(jobMachine, state)].some((next) => !isUnfinished(next as JobState)));
});

test('whatever nobody has started can be skipped, as a newer build of the branch needs (decisions 7)', (t) => {
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
