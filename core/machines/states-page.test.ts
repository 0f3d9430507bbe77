import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { agentMachine } from './agent.js';
import { buildMachine, buildStates, isBlocked, isFinished, stateFilter, wireState } from './build.js';
import { isBroken, isFailure, isRetriable, isUnfinished, isWithAgent, jobMachine, jobStates } from './job.js';
import type { Machine } from './machine.js';
import { dispatchMachine } from './queue.js';

/** The moves that the specification itself shows, by machine, as `state event`. All others are house decisions. */
const specifiedMoves: Record<string, readonly string[]> = {
  build: ['scheduled cancel', 'running cancel', 'failing cancel'],
  agent: ['connected stop'],
  queue: ['running pause', 'paused resume'],
};

function transitionTable(name: string, machine: Machine<string, string>): string {
  const rows = Object.entries(machine).flatMap(([state, events]) => {
    const edges = Object.entries(events);
    if (edges.length === 0) return [`| \`${state}\` | – | – | |`];
    return edges.map(([event, next]) => {
      const house = specifiedMoves[name]?.includes(`${state} ${event}`) ? '' : 'house';
      return `| \`${state}\` | ${event.replaceAll('_', ' ')} | \`${next}\` | ${house} |`;
    });
  });
  return ['| State | Event | Next state | Decision |', '|---|---|---|---|', ...rows].join('\n');
}

function propertyTable(
  states: readonly string[],
  columns: Record<string, (state: string) => boolean | string>,
): string {
  const cell = (value: boolean | string) => (typeof value === 'string' ? `\`${value}\`` : value ? 'yes' : '');
  const names = Object.keys(columns);
  return [
    `| State | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---|').join('')}`,
    ...states.map(
      (state) =>
        `| \`${state}\` | ${Object.values(columns)
          .map((of) => cell(of(state)))
          .join(' | ')} |`,
    ),
  ].join('\n');
}

const page = (): string => `# States

What builds, jobs, agents and queues can be, and every move between their states. A move that is not listed is refused. Moves
marked *house* are decisions of this implementation, where the API's specification shows none.

This page is made from the tables in \`core/machines\`; a test fails when it is out of date. To make it anew:
\`MILLRACE_WRITE=1 npm test -- dist/core/machines/states-page.test.js\`.

## Builds

A blocked build goes on showing the state it had, with \`blocked: true\`, so being blocked is two states here. What the state of
its jobs means for a build is decided in one place, \`core/machines/follow.ts\`.

${propertyTable(buildStates, {
  'Shown as': (state) => wireState(state as (typeof buildStates)[number]),
  Blocked: (state) => isBlocked(state as (typeof buildStates)[number]),
  Finished: (state) => isFinished(state as (typeof buildStates)[number]),
})}

${transitionTable('build', buildMachine)}

The \`state\` filter of the build lists takes these values:

| Value | Matches |
|---|---|
${Object.entries(stateFilter)
  .map(([value, states]) => `| \`${value}\` | ${states.map((state) => `\`${state}\``).join(', ')} |`)
  .join('\n')}

## Jobs

All moves of jobs are house decisions. How far jobs go by themselves is decided in one place, \`core/machines/progress.ts\`.

${propertyTable(jobStates, {
  Unfinished: (state) => isUnfinished(state as (typeof jobStates)[number]),
  'With an agent': (state) => isWithAgent(state as (typeof jobStates)[number]),
  'A failure, unless soft': (state) => isFailure(state as (typeof jobStates)[number]),
  'Can be retried': (state) => isRetriable(state as (typeof jobStates)[number]),
  'Broken by another': (state) => isBroken(state as (typeof jobStates)[number]),
})}

${transitionTable('job', jobMachine)}

## Agents

${transitionTable('agent', agentMachine)}

## Queues

Whether a queue hands out jobs: \`dispatch_paused\` is true while it is paused.

${transitionTable('queue', dispatchMachine)}
`;

const path = 'docs/states.md';

test('docs/states.md shows the machines as they are', (t) => {
  if (process.env.MILLRACE_WRITE) writeFileSync(path, page());
  t.is(readFileSync(path, 'utf8'), page(), 'make it anew with MILLRACE_WRITE=1');
});

test('the moves that are not marked as house decisions are moves of the machines', (t) => {
  const machines: Record<string, Machine<string, string>> = {
    build: buildMachine,
    agent: agentMachine,
    queue: dispatchMachine,
  };
  for (const [name, list] of Object.entries(specifiedMoves))
    for (const entry of list) {
      const [state = '', event = ''] = entry.split(' ');
      t.truthy(machines[name]?.[state]?.[event], entry);
    }
});
