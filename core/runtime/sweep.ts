import { merge } from '../commands/batch.js';
import { changeBuild } from '../commands/build-changes.js';
import type { CommandRuntime } from '../commands/execute.js';
import { errors } from '../errors/index.js';
import { connectedStates, jobMachine, takes, transitionJob } from '../machines/index.js';
import type { Row, Timestamp } from '../model/index.js';
import { looseObject, string } from '../schema/schema.js';
import { lastSeenCutoff } from './agents.js';
import { loadJobContext, replaceJob } from './end-job.js';
import type { SweepResult } from './runtime.js';
import { runtimeCommand } from './runtime-command.js';

/** Sets a job that exceeds its timeout to `timing_out`. It is `timed_out` when its agent reports the end (decisions 6). */
export const timeOut = runtimeCommand({
  id: 'jobs.timeOut',
  input: looseObject({ job: string() }),
  load: async ({ input, reader }) => (await loadJobContext(input.job, reader)) ?? errors.jobNotFound(),
  decide({ job, build }, { now }) {
    if (!isOverdue(job, now)) return { batch: merge(), reply: job };
    const timingOut = transitionJob(job, 'time_out', now);
    const before = { build, jobs: build.jobs };
    const after = { build, jobs: replaceJob(build.jobs, timingOut) };
    return { batch: merge(changeBuild(before, after, now)), reply: timingOut };
  },
});

function isOverdue(job: Row<'job'>, now: Timestamp): boolean {
  if (!takes(jobMachine, job.state, 'time_out') || job.timeout_in_minutes === null || job.started_at === null)
    return false;
  return Date.parse(job.started_at) + job.timeout_in_minutes * 60_000 <= Date.parse(now);
}

const pageSize = 100;

/** Applies all changes that depend only on time. It may run in several processes at the same time. */
export async function sweep(
  commandRuntime: CommandRuntime,
  commands: {
    lose(input: { agent: string }): Promise<Row<'agent'>>;
    timeOut(input: { job: string }): Promise<Row<'job'>>;
  },
): Promise<SweepResult> {
  const { storage, rules, context } = commandRuntime;
  const now = context.now();
  const seen_before = lastSeenCutoff(now, rules.agentTimeout);
  let agents = 0;
  for (const connection_state of connectedStates) {
    for (;;) {
      const silent = await storage.select('agent.silent', { connection_state, seen_before }, pageSize);
      const lost = [];
      for (const agent of silent) lost.push(await commands.lose({ agent: agent.id }));
      agents += lost.filter((agent) => agent.connection_state === 'lost').length;
      if (silent.length < pageSize) break;
    }
  }
  let jobs = 0;
  for (let offset = 0; ; ) {
    const window = { offset, limit: pageSize };
    const { stamps, more } = await storage.find('job.startedBefore', { state: 'running', started_before: now }, window);
    const running = await storage.load(
      'job.startedBefore',
      stamps.map((stamp) => stamp.id),
    );
    let stillRunning = stamps.length;
    for (const job of running) {
      if (!isOverdue(job, now) || (await commands.timeOut({ job: job.id })).state !== 'timing_out') continue;
      jobs += 1;
      stillRunning -= 1;
    }
    // A job that is `timing_out` is no longer in the list of running jobs, and the jobs after it have moved up.
    offset += stillRunning;
    if (!more) return { agents, jobs };
  }
}
