import { isHardFailure, type MachineJob } from './advance-jobs.js';
import { type BuildEvent, type BuildState, isFinished } from './build.js';
import { isUnfinished } from './job.js';

/**
 * The event of a build that follows from the states of its jobs. Undefined if the build does not change. This is the only
 * connection between the two state machines (decisions 7).
 *
 * `jobs` are all jobs of the build, after `advanceJobs`. `started` is true if an agent has started any of them. One call is
 * enough, except after `reopen`: then a second event may follow.
 */
export function deriveBuildEvent(
  state: BuildState,
  jobs: readonly MachineJob[],
  started: boolean,
): BuildEvent | undefined {
  if (isFinished(state)) return undefined;
  const current = jobs.filter((job) => !job.retried);
  const unfinished = current.filter((job) => isUnfinished(job.state));
  if (state === 'canceling') return unfinished.length === 0 ? 'settle' : undefined;
  const failed = current.some(isHardFailure);
  if (state === 'failing' && !failed) return 'reopen';
  if (unfinished.length === 0) {
    if (failed) return 'fail';
    return state === 'scheduled' && allSkipped(current) ? 'not_run' : 'pass';
  }
  if (unfinished.every((job) => job.state === 'blocked')) return failed ? 'block_failed' : 'block_passed';
  if (failed) return state === 'failing' ? undefined : 'falter';
  return state === 'scheduled' && started ? 'start' : undefined;
}

/** Whether all jobs with work were skipped: none ran and none was canceled. Wait steps between them do not count. */
function allSkipped(jobs: readonly MachineJob[]): boolean {
  const work = jobs.filter((job) => job.type === 'script' || job.type === 'trigger');
  return work.length > 0 && work.every((job) => job.state === 'skipped');
}
