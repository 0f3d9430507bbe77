import type { Machine } from './machine.js';

/** States of a job as they stand on the wire (decisions 6). */
export type JobState =
  | 'pending'
  | 'waiting'
  | 'waiting_failed'
  | 'blocked'
  | 'blocked_failed'
  | 'unblocked'
  | 'unblocked_failed'
  | 'limiting'
  | 'limited'
  | 'scheduled'
  | 'assigned'
  | 'accepted'
  | 'running'
  | 'passed'
  | 'failed'
  | 'canceling'
  | 'canceled'
  | 'timing_out'
  | 'timed_out'
  | 'skipped'
  | 'broken'
  | 'expired';

export type JobEvent =
  /** Put behind a wait step. */
  | 'wait'
  /** Put behind a block step; of a block step: reached. */
  | 'block'
  /** Somebody let the build go on past this block step. */
  | 'unblock'
  /** Held back by a concurrency limit. */
  | 'limit'
  /** Ready for an agent. */
  | 'schedule'
  | 'assign'
  | 'accept'
  /** Given back by an agent that did not start it. */
  | 'release'
  | 'start'
  | 'pass'
  | 'fail'
  | 'cancel'
  /** Canceled, but the agent may report first. */
  | 'cancel_gracefully'
  | 'time_out'
  /** The agent of a canceling or timing out job reported, or is gone. */
  | 'settle'
  | 'skip'
  /** It can never run, since a step that it waits for failed. */
  | 'break'
  /** It waited for an agent for too long. */
  | 'expire'
  /** What broke it, or was canceled with it, is being run again. */
  | 'reopen';

/** The table is a house decision (decisions 6): the specification shows no job states. */
export const jobMachine: Machine<JobState, JobEvent> = {
  pending: {
    wait: 'waiting',
    block: 'blocked',
    limit: 'limiting',
    schedule: 'scheduled',
    skip: 'skipped',
    cancel: 'canceled',
    break: 'broken',
  },
  waiting: {
    pass: 'passed',
    fail: 'waiting_failed',
    block: 'blocked',
    limit: 'limiting',
    schedule: 'scheduled',
    skip: 'skipped',
    cancel: 'canceled',
    break: 'broken',
  },
  waiting_failed: { reopen: 'pending' },
  blocked: {
    unblock: 'unblocked',
    fail: 'blocked_failed',
    wait: 'waiting',
    limit: 'limiting',
    schedule: 'scheduled',
    skip: 'skipped',
    cancel: 'canceled',
    break: 'broken',
  },
  blocked_failed: { reopen: 'pending' },
  unblocked: { fail: 'unblocked_failed' },
  unblocked_failed: { reopen: 'unblocked' },
  limiting: { limit: 'limited', schedule: 'scheduled', skip: 'skipped', cancel: 'canceled', break: 'broken' },
  limited: { schedule: 'scheduled', skip: 'skipped', cancel: 'canceled', break: 'broken' },
  scheduled: {
    assign: 'assigned',
    limit: 'limiting',
    /** Trigger jobs need no agent. */
    start: 'running',
    skip: 'skipped',
    cancel: 'canceled',
    expire: 'expired',
  },
  assigned: { accept: 'accepted', release: 'scheduled', cancel: 'canceled', expire: 'expired' },
  accepted: { start: 'running', release: 'scheduled', fail: 'failed', cancel: 'canceled' },
  running: {
    pass: 'passed',
    fail: 'failed',
    cancel: 'canceled',
    cancel_gracefully: 'canceling',
    time_out: 'timing_out',
  },
  passed: {},
  failed: {},
  canceling: { settle: 'canceled', cancel: 'canceled' },
  /** Only for wait and block steps: a script is retried as a new job. */
  canceled: { reopen: 'pending' },
  timing_out: { settle: 'timed_out', cancel: 'canceled' },
  timed_out: {},
  skipped: {},
  broken: { reopen: 'pending' },
  expired: {},
};

export const jobStates = Object.keys(jobMachine) as JobState[];

const unfinished: ReadonlySet<JobState> = new Set<JobState>([
  'pending',
  'waiting',
  'blocked',
  'limiting',
  'limited',
  'scheduled',
  'assigned',
  'accepted',
  'running',
  'canceling',
  'timing_out',
]);

/** Whether the job is still to run or to end. */
export const isUnfinished = (state: JobState): boolean => unfinished.has(state);

/** States in which an agent holds the job. */
export const isWithAgent = (state: JobState): boolean =>
  ['assigned', 'accepted', 'running', 'canceling', 'timing_out'].includes(state);

/** States that only say that something else failed; they go when that is run again. */
export const isBroken = (state: JobState): boolean =>
  ['waiting_failed', 'blocked_failed', 'unblocked_failed', 'broken'].includes(state);

/** Ends that a job can be retried from. */
export const isRetriable = (state: JobState): boolean =>
  ['passed', 'failed', 'canceled', 'timed_out', 'expired'].includes(state);

/** Ends that count as a failure, unless the failure is a soft one. */
export const isFailure = (state: JobState): boolean => ['failed', 'timed_out', 'expired', 'canceled'].includes(state);
