import assert from 'node:assert/strict';
import { expectedBuild, type Story } from './_model.test.js';
import { type BuildEvent, type BuildState, buildMachine, isFinished } from './build.js';
import { follow } from './follow.js';
import { isRetriable, isUnfinished, isWithAgent, type JobEvent, type JobState, jobMachine } from './job.js';
import { move, step } from './machine.js';
import { isReached, type ProgressJob, progress, reopen } from './progress.js';

/** A build under test, as whoever uses the machines would keep it. */
export interface Drive {
  readonly build: BuildState;
  readonly jobs: readonly ProgressJob[];
  readonly started: boolean;
  readonly story: Story;
}

/** What somebody may do to a build, or to one of its jobs. */
export interface Command {
  readonly name: string;
  readonly run: (drive: Drive) => Drive;
}

type Change = (job: ProgressJob) => Partial<ProgressJob>;
const put = (drive: Drive, index: number, change: Change): Drive => ({
  ...drive,
  jobs: drive.jobs.map((job, place) => (place === index ? { ...job, ...change(job) } : job)),
});
const by =
  (event: JobEvent): Change =>
  (job) => ({ state: move(jobMachine, job.state, event) });

const turn = (drive: Drive, event: BuildEvent, ended: Story['ended'] = 'no'): Drive => ({
  ...drive,
  build: move(buildMachine, drive.build, event),
  story: { ended, begun: true },
});

const onJob = (event: JobEvent, index: number, more: Partial<Drive> = {}): Command => ({
  name: `${event} ${index}`,
  run: (drive) => ({ ...put(drive, index, by(event)), ...more }),
});

function failure(index: number, soft: boolean): Command {
  const change: Change = (job) => ({ ...by('fail')(job), soft_failed: soft });
  return { name: `${soft ? 'soft ' : ''}fail ${index}`, run: (drive) => put(drive, index, change) };
}

/** A new job in the place of one that has ended. With `fails` that is an automatic retry: the job fails and is retried at once. */
const again = (index: number, fails: boolean): Command => ({
  name: `${fails ? 'fail and ' : ''}retry ${index}`,
  run(drive) {
    const before = fails ? put(drive, index, by('fail')) : drive;
    const old = before.jobs[index];
    assert(old);
    const next: ProgressJob = { ...old, state: 'pending', soft_failed: false };
    const jobs = before.jobs.toSpliced(index, 1, { ...old, retried: true }, next);
    const states = fails ? jobs.map((job) => job.state) : reopen(jobs);
    const reopened = { ...before, jobs: jobs.map((job, place) => ({ ...job, state: states[place] ?? job.state })) };
    return fails || step(buildMachine, drive.build, 'reopen') === undefined ? reopened : turn(reopened, 'reopen');
  },
});

const unblock = (index: number): Command => ({
  name: `unblock ${index}`,
  run(drive) {
    const opened = put(drive, index, by('unblock'));
    return step(buildMachine, drive.build, 'unblock') === undefined ? opened : turn(opened, 'unblock');
  },
});

/** Ends every unfinished job of the build by the first of the events that its state takes. */
const endAll = (drive: Drive, ...events: JobEvent[]): Drive => ({
  ...drive,
  jobs: drive.jobs.map((job) => {
    const event = isUnfinished(job.state) ? events.find((one) => step(jobMachine, job.state, one)) : undefined;
    return event ? { ...job, ...by(event)(job) } : job;
  }),
});

const cancel: Command = { name: 'cancel', run: (drive) => turn(endAll(drive, 'cancel'), 'cancel', 'canceled') };
const skip: Command = { name: 'skip', run: (drive) => turn(endAll(drive, 'skip', 'cancel'), 'skip', 'skipped') };
const cancelGracefully: Command = {
  name: 'cancel gracefully',
  run(drive) {
    const waiting = new Set<JobState>(['canceling', 'timing_out']);
    const jobs = endAll(drive, 'cancel_gracefully', 'cancel').jobs;
    const kept = jobs.map((job, index) =>
      waiting.has(drive.jobs[index]?.state ?? 'pending') ? drive.jobs[index] : job,
    );
    return turn({ ...drive, jobs: kept as ProgressJob[] }, 'cancel_gracefully', 'canceling');
  },
};

/** Everything that may be done to the build as it stands. */
export function commands({ build, jobs }: Drive): Command[] {
  const found: Command[] = [];
  const takes = (event: BuildEvent) => step(buildMachine, build, event) !== undefined;
  if (takes('cancel')) found.push(cancel);
  if (takes('cancel_gracefully')) found.push(cancelGracefully);
  if (takes('skip')) found.push(skip);
  jobs.forEach((job, index) => {
    if (!job.retried) found.push(...commandsOn(job, index, build));
    if (isReached(jobs, index)) found.push(unblock(index));
  });
  return found;
}

const fromOutside: readonly JobEvent[] = [
  'assign',
  'accept',
  'release',
  'pass',
  'cancel_gracefully',
  'time_out',
  'settle',
  'expire',
];

function commandsOn(job: ProgressJob, index: number, build: BuildState): Command[] {
  if (job.type === 'waiter' || job.type === 'manual') return [];
  const found: Command[] = [];
  const takes = (event: JobEvent) => step(jobMachine, job.state, event) !== undefined;
  const held = isWithAgent(job.state) || ['scheduled', 'limiting', 'limited'].includes(job.state);
  if (held) for (const event of fromOutside) if (takes(event)) found.push(onJob(event, index));
  if (held && takes('cancel') && build !== 'canceling') found.push(onJob('cancel', index));
  if (takes('limit') && ['scheduled', 'limiting'].includes(job.state)) found.push(onJob('limit', index));
  if (takes('schedule') && ['limiting', 'limited'].includes(job.state)) found.push(onJob('schedule', index));
  if (takes('start') && (job.type === 'trigger' || job.state === 'accepted'))
    found.push(onJob('start', index, { started: true }));
  if (held && takes('fail')) found.push(failure(index, false), failure(index, true), again(index, true));
  const open = !isFinished(build) && build !== 'canceling';
  if (isRetriable(job.state) && (open || step(buildMachine, build, 'reopen'))) found.push(again(index, false));
  return found;
}

/** Lets the jobs and then the build go as far as they can. Returns the build's event as well. */
export function settle(drive: Drive): { drive: Drive; event: BuildEvent | undefined } {
  const states = progress(drive.jobs);
  const jobs = drive.jobs.map((job, index) => ({ ...job, state: states[index] ?? job.state }));
  const event = follow(drive.build, jobs, drive.started);
  const build = event === undefined ? drive.build : move(buildMachine, drive.build, event);
  const story = { ...drive.story, begun: drive.story.begun || drive.started };
  const begun = story.begun || !['scheduled', 'not_run'].includes(expectedBuild(jobs, story));
  return { drive: { ...drive, jobs, build, story: { ...story, begun } }, event };
}
