import assert from 'node:assert/strict';
import { type BuildHistory, expectedBuildState } from './_reference-model.test.js';
import { advanceJobs, isUnblockable, type MachineJob, reopenBarriers } from './advance-jobs.js';
import { type BuildEvent, type BuildState, buildMachine, isFinished } from './build.js';
import { deriveBuildEvent } from './derive-build-event.js';
import { isRetriable, isUnfinished, isWithAgent, type JobEvent, type JobState, jobMachine } from './job.js';
import { step, transition } from './machine.js';

/** A build under test, as whoever uses the machines would keep it. */
export interface Scenario {
  readonly build: BuildState;
  readonly jobs: readonly MachineJob[];
  readonly started: boolean;
  readonly history: BuildHistory;
}

/** What somebody may do to a build, or to one of its jobs. */
export interface Action {
  readonly name: string;
  readonly run: (scenario: Scenario) => Scenario;
}

type JobChange = (job: MachineJob) => Partial<MachineJob>;
const changeJob = (scenario: Scenario, index: number, change: JobChange): Scenario => ({
  ...scenario,
  jobs: scenario.jobs.map((job, position) => (position === index ? { ...job, ...change(job) } : job)),
});
const byEvent =
  (event: JobEvent): JobChange =>
  (job) => ({ state: transition(jobMachine, job.state, event) });

const applyBuildEvent = (scenario: Scenario, event: BuildEvent, ended: BuildHistory['ended'] = 'no'): Scenario => ({
  ...scenario,
  build: transition(buildMachine, scenario.build, event),
  history: { ended, hasBegun: true },
});

const jobAction = (event: JobEvent, index: number, more: Partial<Scenario> = {}): Action => ({
  name: `${event} ${index}`,
  run: (scenario) => ({ ...changeJob(scenario, index, byEvent(event)), ...more }),
});

function failAction(index: number, soft: boolean): Action {
  const change: JobChange = (job) => ({ ...byEvent('fail')(job), soft_failed: soft });
  return { name: `${soft ? 'soft ' : ''}fail ${index}`, run: (scenario) => changeJob(scenario, index, change) };
}

/** A new job in the place of one that has ended. With `fails` that is an automatic retry: the job fails and is retried at once. */
const retryAction = (index: number, fails: boolean): Action => ({
  name: `${fails ? 'fail and ' : ''}retry ${index}`,
  run(scenario) {
    const before = fails ? changeJob(scenario, index, byEvent('fail')) : scenario;
    const old = before.jobs[index];
    assert(old);
    const next: MachineJob = { ...old, state: 'pending', soft_failed: false };
    const jobs = before.jobs.toSpliced(index, 1, { ...old, retried: true }, next);
    const states = fails ? jobs.map((job) => job.state) : reopenBarriers(jobs);
    const reopened = {
      ...before,
      jobs: jobs.map((job, position) => ({ ...job, state: states[position] ?? job.state })),
    };
    return fails || step(buildMachine, scenario.build, 'reopen') === undefined
      ? reopened
      : applyBuildEvent(reopened, 'reopen');
  },
});

const unblockAction = (index: number): Action => ({
  name: `unblock ${index}`,
  run(scenario) {
    const opened = changeJob(scenario, index, byEvent('unblock'));
    return step(buildMachine, scenario.build, 'unblock') === undefined ? opened : applyBuildEvent(opened, 'unblock');
  },
});

/** Ends every unfinished job of the build by the first of the events that its state takes. */
const endUnfinishedJobs = (scenario: Scenario, ...events: JobEvent[]): Scenario => ({
  ...scenario,
  jobs: scenario.jobs.map((job) => {
    const event = isUnfinished(job.state) ? events.find((one) => step(jobMachine, job.state, one)) : undefined;
    return event ? { ...job, ...byEvent(event)(job) } : job;
  }),
});

const cancelAction: Action = {
  name: 'cancel',
  run: (scenario) => applyBuildEvent(endUnfinishedJobs(scenario, 'cancel'), 'cancel', 'canceled'),
};
const skipAction: Action = {
  name: 'skip',
  run: (scenario) => applyBuildEvent(endUnfinishedJobs(scenario, 'skip', 'cancel'), 'skip', 'skipped'),
};
const cancelGracefullyAction: Action = {
  name: 'cancel gracefully',
  run(scenario) {
    const waiting = new Set<JobState>(['canceling', 'timing_out']);
    const jobs = endUnfinishedJobs(scenario, 'cancel_gracefully', 'cancel').jobs;
    const kept = jobs.map((job, index) =>
      waiting.has(scenario.jobs[index]?.state ?? 'pending') ? scenario.jobs[index] : job,
    );
    return applyBuildEvent({ ...scenario, jobs: kept as MachineJob[] }, 'cancel_gracefully', 'canceling');
  },
};

/** Everything that may be done to the build as it stands. */
export function possibleActions({ build, jobs }: Scenario): Action[] {
  const found: Action[] = [];
  const takes = (event: BuildEvent) => step(buildMachine, build, event) !== undefined;
  if (takes('cancel')) found.push(cancelAction);
  if (takes('cancel_gracefully')) found.push(cancelGracefullyAction);
  if (takes('skip')) found.push(skipAction);
  jobs.forEach((job, index) => {
    if (!job.retried) found.push(...possibleJobActions(job, index, build));
    if (isUnblockable(jobs, index)) found.push(unblockAction(index));
  });
  return found;
}

const externalEvents: readonly JobEvent[] = [
  'assign',
  'accept',
  'release',
  'pass',
  'cancel_gracefully',
  'time_out',
  'settle',
  'expire',
];

function possibleJobActions(job: MachineJob, index: number, build: BuildState): Action[] {
  if (job.type === 'waiter' || job.type === 'manual') return [];
  const found: Action[] = [];
  const takes = (event: JobEvent) => step(jobMachine, job.state, event) !== undefined;
  const held = isWithAgent(job.state) || ['scheduled', 'limiting', 'limited'].includes(job.state);
  if (held) for (const event of externalEvents) if (takes(event)) found.push(jobAction(event, index));
  if (held && takes('cancel') && build !== 'canceling') found.push(jobAction('cancel', index));
  if (takes('limit') && ['scheduled', 'limiting'].includes(job.state)) found.push(jobAction('limit', index));
  if (takes('schedule') && ['limiting', 'limited'].includes(job.state)) found.push(jobAction('schedule', index));
  if (takes('start') && (job.type === 'trigger' || job.state === 'accepted'))
    found.push(jobAction('start', index, { started: true }));
  if (held && takes('fail')) found.push(failAction(index, false), failAction(index, true), retryAction(index, true));
  const open = !isFinished(build) && build !== 'canceling';
  if (isRetriable(job.state) && (open || step(buildMachine, build, 'reopen'))) found.push(retryAction(index, false));
  return found;
}

/** Lets the jobs and then the build go as far as they can. Returns the build's event as well. */
export function advanceScenario(scenario: Scenario): { drive: Scenario; event: BuildEvent | undefined } {
  const states = advanceJobs(scenario.jobs);
  const jobs = scenario.jobs.map((job, index) => ({ ...job, state: states[index] ?? job.state }));
  const event = deriveBuildEvent(scenario.build, jobs, scenario.started);
  const build = event === undefined ? scenario.build : transition(buildMachine, scenario.build, event);
  const history = { ...scenario.history, hasBegun: scenario.history.hasBegun || scenario.started };
  const hasBegun = history.hasBegun || !['scheduled', 'not_run'].includes(expectedBuildState(jobs, history));
  return { drive: { ...scenario, jobs, build, history: { ...history, hasBegun } }, event };
}
