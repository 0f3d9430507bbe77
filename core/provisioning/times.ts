import { type BuildState, isFinished, isUnfinished, type JobState } from '../machines/index.js';
import type { JobType, Row, Timestamp } from '../model/index.js';
import { formatTimestamp } from '../schema/timestamps.js';
import type { FixtureRecord } from './fixture-schema.js';

type BuildTimes = Pick<Row<'build'>, 'created_at' | 'scheduled_at' | 'started_at' | 'finished_at'>;
type JobTimes = Pick<Row<'job'>, 'created_at' | 'scheduled_at' | 'runnable_at' | 'started_at' | 'finished_at'>;
type JobRecord = NonNullable<FixtureRecord<'builds'>['jobs']>[number];

/** Timestamps are ordered as their texts are. */
const sorted = (times: readonly (Timestamp | null | undefined)[]): Timestamp[] =>
  times.filter((time) => time != null).sort();
const earliest = (...times: readonly (Timestamp | null | undefined)[]) => sorted(times)[0];
const latest = (...times: readonly (Timestamp | null | undefined)[]) => sorted(times).at(-1);

/**
 * The times of a build. The document sets some of them. The others are derived from the state (spec 2.4), and are as early as the
 * order of the times allows.
 */
export function buildTimes(record: FixtureRecord<'builds'>, state: BuildState, now: Timestamp): BuildTimes {
  const jobs = record.jobs ?? [];
  const startTimes = jobs.map((job) => job.started_at);
  const givenTimes = [record.scheduled_at, record.started_at, record.finished_at, ...startTimes];
  const created = record.created_at ?? earliest(now, ...givenTimes) ?? now;
  const scheduled = record.scheduled_at ?? created;
  const started = hasStarted.has(state)
    ? (earliest(...startTimes) ?? earliest(scheduled, record.finished_at))
    : earliest(...startTimes);
  const started_at = record.started_at === undefined ? (started ?? null) : record.started_at;
  const finished = latest(scheduled, started_at, ...jobs.map((job) => job.finished_at));
  return {
    created_at: created,
    scheduled_at: scheduled,
    started_at,
    finished_at:
      record.finished_at === undefined ? (isFinished(state) ? (finished ?? null) : null) : record.finished_at,
  };
}

const hasStarted: ReadonlySet<BuildState> = new Set<BuildState>([
  'running',
  'failing',
  'passed',
  'failed',
  'blocked_passed',
  'blocked_failed',
  'canceling',
]);

/**
 * The times of a job. The document sets some of them. The others are derived from the state (spec 2.3), within the times of the
 * build. A job that repeats another one is created after it.
 */
export function jobTimes(
  record: Partial<JobRecord>,
  { state, type }: { readonly state: JobState; readonly type: JobType },
  build: BuildTimes,
  repeated?: Row<'job'>,
): JobTimes {
  const isRunnableType = type === 'script' || type === 'trigger';
  const created = record.created_at ?? (repeated ? createdAfter(repeated) : build.created_at);
  const scheduled = record.scheduled_at === undefined ? build.scheduled_at : record.scheduled_at;
  const ready = isRunnableType && wasReady.has(state) ? (latest(scheduled, created) ?? null) : null;
  const runnable = record.runnable_at === undefined ? ready : record.runnable_at;
  const startTimes =
    isRunnableType && hasRun.has(state) ? earliest(latest(runnable, build.started_at), record.finished_at) : undefined;
  const started = record.started_at === undefined ? (startTimes ?? null) : record.started_at;
  const defaultFinishedAt = state === 'skipped' ? created : (latest(created, started, build.finished_at) ?? created);
  return {
    created_at: created,
    scheduled_at: scheduled,
    runnable_at: runnable,
    started_at: started,
    finished_at:
      record.finished_at === undefined ? (isUnfinished(state) ? null : defaultFinishedAt) : record.finished_at,
  };
}

/** When a retry was created: at least a millisecond after the job, since jobs of the same position are listed in that order. */
const createdAfter = ({ created_at, finished_at }: Row<'job'>): Timestamp =>
  latest(formatTimestamp(Date.parse(created_at) + 1), finished_at) ?? created_at;

const hasRun: ReadonlySet<JobState> = new Set<JobState>([
  'running',
  'passed',
  'failed',
  'canceling',
  'timing_out',
  'timed_out',
]);

const wasReady: ReadonlySet<JobState> = new Set<JobState>([...hasRun, 'scheduled', 'assigned', 'accepted', 'expired']);
