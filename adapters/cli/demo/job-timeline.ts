import type { JobState } from '../../../core/machines/index.js';
import type { BuildSpec } from './build-specs.js';
import { integerBetween } from './seeded-random.js';
import { isBarrier, type StepRun, stepRuns } from './step-runs.js';

/** The state and times of one step run. Times are in milliseconds since 1970. */
export interface JobTimeline {
  readonly run: StepRun;
  readonly state: JobState;
  readonly exitStatus?: number | null;
  readonly softFailed?: boolean;
  readonly runnableAt?: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** How the job was retried before this run, if it was. */
  readonly retryType?: 'automatic' | 'manual';
}

type StateRule = (run: StepRun, position: number) => JobState;

/** The states of the step runs by scenario. `position` counts the script jobs of the first phase; it is -1 for other jobs. */
const stateRules: Readonly<Record<BuildSpec['scenario'], StateRule>> = {
  passed: (run) => passedState(run),
  soft_failed: (run) => (run.step.soft_fail ? 'failed' : passedState(run)),
  auto_retried: (run) => passedState(run),
  manually_retried: (run) => passedState(run),
  failed: (run, position) => (run.phase === 0 && position === 1 ? 'failed' : stateAfterFailure(run, 'broken')),
  failing: (run, position) =>
    run.phase > 0
      ? 'waiting'
      : position === 1
        ? 'failed'
        : position === 2
          ? 'running'
          : waitingIfBarrier(run, passedState(run)),
  running: (run, position) =>
    run.phase > 0 ? 'waiting' : position === 1 || position === 2 ? 'running' : waitingIfBarrier(run, passedState(run)),
  finishing: (run) => (run.phase === 0 ? passedState(run) : run.step.type === 'trigger' ? 'passed' : 'running'),
  scheduled: (run) => (run.phase > 0 || isBarrier(run.step) ? 'waiting' : 'scheduled'),
  blocked: (run) => (run.step.type === 'manual' || run.phase > 1 ? 'blocked' : passedState(run)),
  canceling: (_run, position) => (position === 1 ? 'canceling' : 'canceled'),
  canceled: (run, position) => (position === 0 ? passedState(run) : 'canceled'),
  timed_out: (run, position) => (position === 0 ? 'timed_out' : passedState(run)),
  expired: (_run, position) => (position < 0 ? 'passed' : 'expired'),
  skipped: () => 'skipped',
  not_run: (run) => (isBarrier(run.step) ? 'passed' : 'skipped'),
};

const passedState = ({ step }: StepRun): JobState => (step.type === 'manual' ? 'unblocked' : 'passed');

/** The state, or `waiting` for a wait or block step, while a job before it still runs. */
const waitingIfBarrier = ({ step }: StepRun, state: JobState): JobState => (isBarrier(step) ? 'waiting' : state);

function stateAfterFailure(run: StepRun, state: JobState): JobState {
  if (run.phase > 0) return state;
  return run.step.type === 'waiter'
    ? 'waiting_failed'
    : run.step.type === 'manual'
      ? 'blocked_failed'
      : passedState(run);
}

const second = 1_000;

/** The timelines of all step runs of a build. A phase starts when the phase before it has ended. */
export function jobTimelines(spec: BuildSpec, name: string, created: number): JobTimeline[] {
  const states = stateRules[spec.scenario];
  let position = 0;
  let phase = 0;
  let ready = created + integerBetween(`${name}/ready`, 1, 4) * second;
  let end = ready;
  return stepRuns(spec).map((run, index) => {
    if (run.phase > phase) {
      phase = run.phase;
      ready = end;
    }
    const isScriptOfFirstPhase = !isBarrier(run.step) && run.phase === 0;
    const state = run.skipped ? 'skipped' : states(run, isScriptOfFirstPhase ? position : -1);
    if (isScriptOfFirstPhase) position += 1;
    const retry = retryOf(spec, run, position);
    const bounds = { created, ready: retry.retryType ? ready + retryDelay : ready, end };
    const timeline = { ...withTimes(run, state, `${name}/${index}`, bounds), ...retry };
    end = Math.max(end, timeline.finishedAt ?? 0);
    return timeline;
  });
}

const retryOf = ({ scenario }: BuildSpec, run: StepRun, position: number): Pick<JobTimeline, 'retryType'> => {
  if (run.phase > 0 || position !== 2 || isBarrier(run.step)) return {};
  return scenario === 'auto_retried'
    ? { retryType: 'automatic' }
    : scenario === 'manually_retried'
      ? { retryType: 'manual' }
      : {};
};

/** The time between the first and the second execution of a retried job. */
export const retryDelay = 30 * second;

interface TimelineBounds {
  readonly created: number;
  readonly ready: number;
  readonly end: number;
}

function withTimes(run: StepRun, state: JobState, name: string, { created, ready, end }: TimelineBounds): JobTimeline {
  if (state === 'skipped') return { run, state, finishedAt: created };
  if (isBarrier(run.step)) return isWaiting(state) ? { run, state } : { run, state, finishedAt: end };
  if (state === 'canceled' || state === 'broken') return { run, state, finishedAt: end + 5 * second };
  if (state === 'waiting' || state === 'blocked') return { run, state };
  if (state === 'scheduled') return { run, state, runnableAt: ready };
  if (state === 'expired') return { run, state, runnableAt: ready, finishedAt: ready + 86_400 * second };
  const startedAt = ready + integerBetween(`${name}/start`, 1, 9) * second + (run.index ?? 0) * 100;
  if (state === 'running' || state === 'canceling') return { run, state, runnableAt: ready, startedAt };
  const duration = (state === 'timed_out' ? 2_700 : integerBetween(`${name}/length`, 12, 150)) * second;
  const finishedAt = startedAt + duration + integerBetween(`${name}/rest`, 0, 999);
  const exitStatus = state === 'passed' ? 0 : state === 'timed_out' ? -1 : 1;
  const softFailed = state === 'failed' && Boolean(run.step.soft_fail);
  return {
    run,
    state,
    runnableAt: ready,
    startedAt,
    finishedAt,
    exitStatus: run.step.type === 'trigger' ? null : exitStatus,
    softFailed,
  };
}

const isWaiting = (state: JobState): boolean => state === 'waiting' || state === 'blocked';
