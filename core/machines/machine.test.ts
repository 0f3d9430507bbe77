import test from 'ava';
import { agentMachine } from './agent.js';
import { buildMachine } from './build.js';
import { jobMachine } from './job.js';
import { type Machine, step, transition } from './machine.js';
import { dispatchMachine } from './queue.js';

/** Every legal move, written out a second time: a slip in a table shows here, and so does an edge that somebody adds. */
const edges = {
  agent: `
    never_connected: connect>connected
    connected: stop_after_job>stopping stop>stopped disconnect>disconnected lose>lost
    stopping: stop>stopped disconnect>disconnected lose>lost
    stopped: connect>connected
    disconnected: connect>connected
    lost: connect>connected`,
  build: `
    scheduled: start>running falter>failing pass>passed fail>failed block_passed>blocked_passed block_failed>blocked_failed cancel>canceled cancel_gracefully>canceling skip>skipped not_run>not_run
    running: falter>failing pass>passed fail>failed block_passed>blocked_passed block_failed>blocked_failed cancel>canceled cancel_gracefully>canceling
    failing: fail>failed block_failed>blocked_failed cancel>canceled cancel_gracefully>canceling reopen>running
    passed: reopen>running
    failed: reopen>running
    blocked_passed: unblock>running reopen>running
    blocked_failed: unblock>running reopen>running
    canceling: settle>canceled
    canceled: reopen>running
    skipped:
    not_run:`,
  job: `
    pending: wait>waiting block>blocked limit>limiting schedule>scheduled skip>skipped cancel>canceled break>broken
    waiting: pass>passed fail>waiting_failed block>blocked limit>limiting schedule>scheduled skip>skipped cancel>canceled break>broken
    waiting_failed: reopen>pending
    blocked: unblock>unblocked fail>blocked_failed wait>waiting limit>limiting schedule>scheduled skip>skipped cancel>canceled break>broken
    blocked_failed: reopen>pending
    unblocked: fail>unblocked_failed
    unblocked_failed: reopen>unblocked
    limiting: limit>limited schedule>scheduled skip>skipped cancel>canceled break>broken
    limited: schedule>scheduled skip>skipped cancel>canceled break>broken
    scheduled: assign>assigned limit>limiting start>running skip>skipped cancel>canceled expire>expired
    assigned: accept>accepted release>scheduled cancel>canceled expire>expired
    accepted: start>running release>scheduled fail>failed cancel>canceled
    running: pass>passed fail>failed cancel>canceled cancel_gracefully>canceling time_out>timing_out
    passed:
    failed:
    canceling: settle>canceled cancel>canceled
    canceled: reopen>pending
    timing_out: settle>timed_out cancel>canceled
    timed_out:
    skipped:
    broken: reopen>pending
    expired:`,
  dispatch: `
    running: pause>paused
    paused: resume>running`,
};

const machines: Record<keyof typeof edges, Machine<string, string>> = {
  agent: agentMachine,
  build: buildMachine,
  job: jobMachine,
  dispatch: dispatchMachine,
};

function parse(text: string): Map<string, Map<string, string>> {
  const lines = text.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [state = '', moves = ''] = line.trim().split(':');
      const pairs = moves.split(' ').filter(Boolean);
      return [state, new Map(pairs.map((pair) => pair.split('>') as [string, string]))];
    }),
  );
}

for (const [name, machine] of Object.entries(machines)) {
  const expected = parse(edges[name as keyof typeof edges]);
  const events = [...new Set(Object.values(machine).flatMap((moves) => Object.keys(moves)))];

  test(`${name}: every edge leads where it should, and every other pair of state and event is refused`, (t) => {
    t.deepEqual(Object.keys(machine).sort(), [...expected.keys()].sort());
    for (const [state, moves] of expected) {
      for (const event of events) {
        const next = moves.get(event);
        t.is(step(machine, state, event), next, `${state} on ${event}`);
        if (next === undefined)
          t.throws(() => transition(machine, state, event), { message: new RegExp(`${state}.*${event}`) });
        else t.is(transition(machine, state, event), next);
      }
      t.deepEqual(
        [...moves.keys()].filter((event) => !events.includes(event)),
        [],
      );
    }
  });

  test(`${name}: every move leads to a state of the machine, and no move leads back to where it began`, (t) => {
    for (const [state, moves] of Object.entries(machine))
      for (const next of Object.values(moves)) {
        t.true(Object.hasOwn(machine, next ?? ''), `${state} leads to ${next}`);
        t.not(next, state);
      }
  });
}
