import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { agentMachine } from './agent.js';
import { buildMachine, buildStates, isBlocked, isFinished, stateFilter, wireState } from './build.js';
import { isBroken, isFailure, isRetriable, isUnfinished, isWithAgent, jobMachine, jobStates } from './job.js';
import type { Machine } from './machine.js';
import { dispatchMachine } from './queue.js';

/** The transitions in the specification, by machine, as `state event`. All others are house decisions. */
const specifiedTransitions: Record<string, readonly string[]> = {
  build: ['scheduled cancel', 'running cancel', 'failing cancel'],
  agent: ['connected stop'],
  queue: ['running pause', 'paused resume'],
};

function transitionTable(name: string, machine: Machine<string, string>): string {
  const rows = Object.entries(machine).flatMap(([state, events]) => {
    const edges = Object.entries(events);
    if (edges.length === 0) return [`| \`${state}\` | – | – | |`];
    return edges.map(([event, next]) => {
      const house = specifiedTransitions[name]?.includes(`${state} ${event}`) ? '' : 'house';
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

The states of builds, jobs, agents and queues, and all transitions between them. Other transitions are rejected. Transitions marked
*house* are decisions of this implementation, where the API's specification is silent.

This page is generated from the tables in \`core/machines\`; a test fails if it is out of date. To generate it:
\`MILLRACE_WRITE=1 npm test -- dist/core/machines/states-page.test.js\`.

## Builds

A blocked build keeps its visible state, with \`blocked: true\`, so there are two blocked states here. The function in
\`core/machines/derive-build-event.ts\` derives a build's event from its jobs.

${propertyTable(buildStates, {
  'Visible state': (state) => wireState(state as (typeof buildStates)[number]),
  Blocked: (state) => isBlocked(state as (typeof buildStates)[number]),
  Finished: (state) => isFinished(state as (typeof buildStates)[number]),
})}

${transitionTable('build', buildMachine)}

The \`state\` filter of build lists accepts these values:

| Value | Matches |
|---|---|
${Object.entries(stateFilter)
  .map(([value, states]) => `| \`${value}\` | ${states.map((state) => `\`${state}\``).join(', ')} |`)
  .join('\n')}

## Jobs

All transitions of jobs are house decisions. The function in \`core/machines/advance-jobs.ts\` computes which jobs become ready and
which steps pass or block when another job changes.

${propertyTable(jobStates, {
  Unfinished: (state) => isUnfinished(state as (typeof jobStates)[number]),
  'With an agent': (state) => isWithAgent(state as (typeof jobStates)[number]),
  'Failure, unless soft': (state) => isFailure(state as (typeof jobStates)[number]),
  'Can be retried': (state) => isRetriable(state as (typeof jobStates)[number]),
  'Broken by another job': (state) => isBroken(state as (typeof jobStates)[number]),
})}

${transitionTable('job', jobMachine)}

## Agents

${transitionTable('agent', agentMachine)}

## Queues

A paused queue hands out no jobs and has \`dispatch_paused: true\`.

${transitionTable('queue', dispatchMachine)}
`;

const path = 'docs/states.md';

test('docs/states.md is up to date', (t) => {
  if (process.env.MILLRACE_WRITE) writeFileSync(path, page());
  t.is(readFileSync(path, 'utf8'), page(), 'generate it with MILLRACE_WRITE=1');
});

test('specified transitions exist in the machines', (t) => {
  const machines: Record<string, Machine<string, string>> = {
    build: buildMachine,
    agent: agentMachine,
    queue: dispatchMachine,
  };
  for (const [name, list] of Object.entries(specifiedTransitions))
    for (const entry of list) {
      const [state = '', event = ''] = entry.split(' ');
      t.truthy(machines[name]?.[state]?.[event], entry);
    }
});
