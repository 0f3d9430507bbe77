import type { JobState } from '../../../core/machines/index.js';
import { between } from './chance.js';
import type { Story } from './history.js';
import { isBarrier, type Run, runsOf } from './runs.js';

/** What became of one run: its state, and when it came there (milliseconds since 1970). */
export interface Course {
  readonly run: Run;
  readonly state: JobState;
  readonly exitStatus?: number | null;
  readonly softFailed?: boolean;
  readonly runnable?: number;
  readonly started?: number;
  readonly finished?: number;
  /** It was retried before it came here, by itself or by somebody. */
  readonly earlier?: 'automatic' | 'manual';
}

type State = (run: Run, place: number) => JobState;

/** For each ending of a build the states of its runs; `place` counts the scripts of the first phase. */
const statesOf: Readonly<Record<Story['ending'], State>> = {
  passed: (run) => passed(run),
  softly: (run) => (run.step.soft_fail ? 'failed' : passed(run)),
  retried: (run) => passed(run),
  mended: (run) => passed(run),
  failed: (run, place) => (run.phase === 0 && place === 1 ? 'failed' : afterFailure(run, 'broken')),
  failing: (run, place) =>
    run.phase > 0 ? 'waiting' : place === 1 ? 'failed' : place === 2 ? 'running' : behind(run, passed(run)),
  running: (run, place) =>
    run.phase > 0 ? 'waiting' : place === 1 || place === 2 ? 'running' : behind(run, passed(run)),
  finishing: (run) => (run.phase === 0 ? passed(run) : run.step.type === 'trigger' ? 'passed' : 'running'),
  scheduled: (run) => (run.phase > 0 || isBarrier(run.step) ? 'waiting' : 'scheduled'),
  blocked: (run) => (run.step.type === 'manual' || run.phase > 1 ? 'blocked' : passed(run)),
  canceling: (_run, place) => (place === 1 ? 'canceling' : 'canceled'),
  canceled: (run, place) => (place === 0 ? passed(run) : 'canceled'),
  timed_out: (run, place) => (place === 0 ? 'timed_out' : passed(run)),
  expired: (_run, place) => (place < 0 ? 'passed' : 'expired'),
  skipped: () => 'skipped',
  not_run: (run) => (isBarrier(run.step) ? 'passed' : 'skipped'),
};

const passed = ({ step }: Run): JobState => (step.type === 'manual' ? 'unblocked' : 'passed');

/** A wait or block step while something before it still runs. */
const behind = ({ step }: Run, state: JobState): JobState => (isBarrier(step) ? 'waiting' : state);

function afterFailure(run: Run, state: JobState): JobState {
  if (run.phase > 0) return state;
  return run.step.type === 'waiter' ? 'waiting_failed' : run.step.type === 'manual' ? 'blocked_failed' : passed(run);
}

const second = 1_000;

/** Goes through the runs of a build phase by phase; nothing starts before what it waits for has ended. */
export function courseOf(story: Story, name: string, created: number): Course[] {
  const states = statesOf[story.ending];
  let place = 0;
  let phase = 0;
  let ready = created + between(`${name}/ready`, 1, 4) * second;
  let end = ready;
  return runsOf(story).map((run, index) => {
    if (run.phase > phase) {
      phase = run.phase;
      ready = end;
    }
    const counts = !isBarrier(run.step) && run.phase === 0;
    const state = run.skipped ? 'skipped' : states(run, counts ? place : -1);
    if (counts) place += 1;
    const retry = retryOf(story, run, place);
    const around = { created, ready: retry.earlier ? ready + retryDelay : ready, end };
    const course = { ...timed(run, state, `${name}/${index}`, around), ...retry };
    end = Math.max(end, course.finished ?? 0);
    return course;
  });
}

const retryOf = ({ ending }: Story, run: Run, place: number): Pick<Course, 'earlier'> => {
  if (run.phase > 0 || place !== 2 || isBarrier(run.step)) return {};
  return ending === 'retried' ? { earlier: 'automatic' } : ending === 'mended' ? { earlier: 'manual' } : {};
};

/** How long after the first execution of a job became ready the second one does. */
export const retryDelay = 30 * second;

interface Around {
  readonly created: number;
  readonly ready: number;
  readonly end: number;
}

function timed(run: Run, state: JobState, name: string, { created, ready, end }: Around): Course {
  if (state === 'skipped') return { run, state, finished: created };
  if (isBarrier(run.step)) return isOpen(state) ? { run, state } : { run, state, finished: end };
  if (state === 'canceled' || state === 'broken') return { run, state, finished: end + 5 * second };
  if (state === 'waiting' || state === 'blocked') return { run, state };
  if (state === 'scheduled') return { run, state, runnable: ready };
  if (state === 'expired') return { run, state, runnable: ready, finished: ready + 86_400 * second };
  const started = ready + between(`${name}/start`, 1, 9) * second + (run.index ?? 0) * 100;
  if (state === 'running' || state === 'canceling') return { run, state, runnable: ready, started };
  const length = (state === 'timed_out' ? 2_700 : between(`${name}/length`, 12, 150)) * second;
  const finished = started + length + between(`${name}/rest`, 0, 999);
  const exitStatus = state === 'passed' ? 0 : state === 'timed_out' ? -1 : 1;
  const softFailed = state === 'failed' && Boolean(run.step.soft_fail);
  return {
    run,
    state,
    runnable: ready,
    started,
    finished,
    exitStatus: run.step.type === 'trigger' ? null : exitStatus,
    softFailed,
  };
}

const isOpen = (state: JobState): boolean => state === 'waiting' || state === 'blocked';
