import { type Machine, takes } from './machine.js';

/**
 * States of a build (spec 3.1). A blocked build keeps reporting the state it had before (spec 2.4, rule 3), so being blocked
 * is two states here: `blocked_passed` is shown as `passed` with `blocked: true`, `blocked_failed` likewise.
 */
export type BuildState =
  | 'scheduled'
  | 'running'
  | 'failing'
  | 'passed'
  | 'failed'
  | 'blocked_passed'
  | 'blocked_failed'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'not_run';

export type BuildEvent =
  /** An agent started the first job. */
  | 'start'
  /** A job failed hard while others are unfinished. */
  | 'falter'
  /** All jobs are done, and none failed hard. */
  | 'pass'
  /** All jobs are done, and one failed hard. */
  | 'fail'
  /** All remaining jobs wait behind a block step, and none has failed so far. */
  | 'block_passed'
  /** All remaining jobs wait behind a block step, and one has failed. */
  | 'block_failed'
  /** A block step was unblocked. */
  | 'unblock'
  | 'cancel'
  /** Canceled, but running jobs may report first (option `cancellation: 'graceful'`). */
  | 'cancel_gracefully'
  /** The last running job of a canceling build reported. */
  | 'settle'
  /** A newer build of the branch replaces it. */
  | 'skip'
  /** All of its steps were skipped. */
  | 'not_run'
  /** A finished job is run again. */
  | 'reopen';

/** Moves beyond cancel are house decisions (decisions 7); the specification shows no others. */
export const buildMachine: Machine<BuildState, BuildEvent> = {
  scheduled: {
    start: 'running',
    falter: 'failing',
    pass: 'passed',
    fail: 'failed',
    block_passed: 'blocked_passed',
    block_failed: 'blocked_failed',
    cancel: 'canceled',
    cancel_gracefully: 'canceling',
    skip: 'skipped',
    not_run: 'not_run',
  },
  running: {
    falter: 'failing',
    pass: 'passed',
    fail: 'failed',
    block_passed: 'blocked_passed',
    block_failed: 'blocked_failed',
    cancel: 'canceled',
    cancel_gracefully: 'canceling',
  },
  failing: {
    fail: 'failed',
    block_failed: 'blocked_failed',
    cancel: 'canceled',
    cancel_gracefully: 'canceling',
    reopen: 'running',
  },
  passed: { reopen: 'running' },
  failed: { reopen: 'running' },
  blocked_passed: { unblock: 'running', reopen: 'running' },
  blocked_failed: { unblock: 'running', reopen: 'running' },
  canceling: { settle: 'canceled' },
  canceled: { reopen: 'running' },
  skipped: {},
  not_run: {},
};

export const buildStates = Object.keys(buildMachine) as BuildState[];

/** States that a build can be canceled from (spec 3.1). */
export const isCancelable = (state: BuildState): boolean => takes(buildMachine, state, 'cancel');

/** States without unfinished work: no job can be canceled, and no canceled job is still running. */
export const isFinished = (state: BuildState): boolean => !isCancelable(state) && !takes(buildMachine, state, 'settle');

/** States that a newer build of the branch may skip (decisions 7). */
export const isSkippable = (state: BuildState): boolean => takes(buildMachine, state, 'skip');

/** States in which a job may be run again: the build goes on, or is opened again (decisions 6). */
export const acceptsRetries = (state: BuildState): boolean =>
  isCancelable(state) || takes(buildMachine, state, 'reopen');

export const isBlocked = (state: BuildState): boolean => takes(buildMachine, state, 'unblock');

/** The state in responses (spec 2.4, rule 3). */
export type WireBuildState = Exclude<BuildState, 'blocked_passed' | 'blocked_failed'>;

export function wireState(state: BuildState): WireBuildState {
  if (state === 'blocked_passed') return 'passed';
  if (state === 'blocked_failed') return 'failed';
  return state;
}

/** What a value of the `state` filter matches (spec 3.1, decisions 7): a blocked build matches `blocked` and the state it shows. */
export const stateFilter = {
  scheduled: ['scheduled'],
  running: ['running'],
  failing: ['failing'],
  passed: ['passed', 'blocked_passed'],
  failed: ['failed', 'blocked_failed'],
  blocked: ['blocked_passed', 'blocked_failed'],
  canceling: ['canceling'],
  canceled: ['canceled'],
  skipped: ['skipped'],
  not_run: ['not_run'],
  finished: ['passed', 'failed', 'blocked_passed', 'blocked_failed', 'canceled'],
} as const satisfies Record<string, readonly BuildState[]>;

export type StateFilter = keyof typeof stateFilter;
