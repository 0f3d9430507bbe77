import { type Machine, reachableStates, takes } from './machine.js';

/** States of a job, as in responses (decisions 6). */
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
  /** The job waits for a wait step. */
  | 'wait'
  /** The job waits for a block step, or is a block step that was reached. */
  | 'block'
  /** A user unblocked this block step. */
  | 'unblock'
  /** A concurrency limit holds the job back. */
  | 'limit'
  /** Ready for an agent. */
  | 'schedule'
  | 'assign'
  | 'accept'
  /** An agent returned the job without starting it. */
  | 'release'
  | 'start'
  | 'pass'
  | 'fail'
  | 'cancel'
  /** Canceled gracefully: the agent may end the job and report first. */
  | 'cancel_gracefully'
  | 'time_out'
  /** The agent of a canceling or timing out job reported the end, or was lost. */
  | 'settle'
  | 'skip'
  /** The job cannot run, because a step that it waits for has failed. */
  | 'break'
  /** The job waited too long for an agent. */
  | 'expire'
  /** The failed or canceled job that it depends on is retried. */
  | 'reopen';

/** The table is our decision (decisions 6). The specification defines no transitions of jobs. */
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
  /** Only wait and block steps are reopened. A script is retried as a new job. */
  canceled: { reopen: 'pending' },
  timing_out: { settle: 'timed_out', cancel: 'canceled' },
  timed_out: {},
  skipped: {},
  broken: { reopen: 'pending' },
  expired: {},
};

export const jobStates = Object.keys(jobMachine) as JobState[];

/** Whether the job has not ended. Only such jobs can be canceled (decisions 7). */
export const isUnfinished = (state: JobState): boolean => takes(jobMachine, state, 'cancel');

/** States that a job can reach after it was assigned to an agent, without being released or reopened. */
const statesOnceAssigned = reachableStates(jobMachine, 'assigned', ['release', 'reopen']);

/** States in which the job is assigned to an agent. */
export const isWithAgent = (state: JobState): boolean => statesOnceAssigned.has(state) && isUnfinished(state);

/** States in which an agent has started the job and has not reported its end. */
export const isStarted = (state: JobState): boolean =>
  isWithAgent(state) && (takes(jobMachine, state, 'pass') || isStopRequested(state));

/** States in which the agent must end the job and has not reported its end. */
export const isStopRequested = (state: JobState): boolean => takes(jobMachine, state, 'settle');

/** States caused by the failure of another job. They are reopened when that job is retried. `canceled` is not one of them. */
export const isBroken = (state: JobState): boolean => takes(jobMachine, state, 'reopen') && !isRetriable(state);

/** Final states in which a job can be retried: those of jobs that had been assigned to an agent. */
export const isRetriable = (state: JobState): boolean => statesOnceAssigned.has(state) && !isUnfinished(state);

/** Final states that count as a failure, unless it is a soft failure. */
export const isFailure = (state: JobState): boolean => isRetriable(state) && state !== jobMachine.running.pass;
