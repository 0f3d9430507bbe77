import { type Machine, takes } from './machine.js';

/**
 * States of a build (spec 3.1). Responses show a blocked build with the state it had before (spec 2.4, rule 3), so there are two
 * blocked states here: `blocked_passed` is rendered as `passed` with `blocked: true`, `blocked_failed` as `failed`.
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
  /** A job has failed, not softly, while others are unfinished. */
  | 'falter'
  /** All jobs have ended, and none has failed except softly. */
  | 'pass'
  /** All jobs have ended, and one has failed, not softly. */
  | 'fail'
  /** All unfinished jobs wait for a block step, and no job has failed so far. */
  | 'block_passed'
  /** All unfinished jobs wait for a block step, and a job has failed. */
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
  /** A finished job is retried. */
  | 'reopen';

/** The specification defines only the transitions of `cancel`. The others are our decisions (decisions 7). */
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

/** States in which a build can be canceled (spec 3.1). */
export const isCancelable = (state: BuildState): boolean => takes(buildMachine, state, 'cancel');

/** States without unfinished work: no job can be canceled, and no canceled job is still running. */
export const isFinished = (state: BuildState): boolean => !isCancelable(state) && !takes(buildMachine, state, 'settle');

/** States that a newer build of the branch may skip (decisions 7). */
export const isSkippable = (state: BuildState): boolean => takes(buildMachine, state, 'skip');

/** States in which a job can be retried: the build continues, or is reopened (decisions 6). */
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

/** The states that a value of the `state` filter matches. A blocked build matches `blocked` and its visible state (decisions 7). */
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
