import type { Row, Timestamp } from '../../model/index.js';
import type { Execution } from './input.js';

/** A test that was run: what was known of it, the latest of its executions, and what became of it on each commit. */
export interface Seen {
  readonly before: Row<'test'> | undefined;
  latest: Execution;
  readonly runs: Map<string, Run>;
}

/** What became of a test on one commit, with the executions added. */
export interface Run {
  readonly commit: string;
  readonly before: Row<'testCommit'> | undefined;
  /** When it passed first, and when it failed first. */
  passed_at: Timestamp | null;
  failed_at: Timestamp | null;
  /** Branches of the executions that were added. */
  readonly on: Set<string>;
}

/**
 * Puts executions together with what is known, by test and by commit. What comes out does not depend on the order of the
 * executions, but for two of one test at the same moment: the one that comes later tells the location.
 */
export function gather(
  tests: readonly Row<'test'>[],
  commits: readonly Row<'testCommit'>[],
  executions: readonly Execution[],
): Seen[] {
  const known = new Map(tests.map((test) => [test.identity, test]));
  const knownRuns = new Map(commits.map((run) => [`${run.test_id}/${run.commit}`, run]));
  const all = new Map<string, Seen>();

  for (const execution of executions) {
    const { identity, commit, result, at, branch } = execution;
    let seen = all.get(identity);
    if (seen === undefined) {
      seen = { before: known.get(identity), latest: execution, runs: new Map() };
      all.set(identity, seen);
    } else if (at >= seen.latest.at) seen.latest = execution;
    if (result === 'skipped') continue;

    let run = seen.runs.get(commit);
    if (run === undefined) {
      const before = seen.before && knownRuns.get(`${seen.before.id}/${commit}`);
      const { passed_at = null, failed_at = null } = before ?? {};
      run = { commit, before, passed_at, failed_at, on: new Set() };
      seen.runs.set(commit, run);
    }
    const first = result === 'passed' ? 'passed_at' : 'failed_at';
    const known_at = run[first];
    if (known_at === null || at < known_at) run[first] = at;
    run.on.add(branch);
  }
  return [...all.values()];
}

/** When the commit had both results: the later of its first passed and its first failed execution. Null: it has not. */
export const flakyAt = ({ passed_at, failed_at }: Pick<Run, 'passed_at' | 'failed_at'>): Timestamp | null =>
  passed_at === null || failed_at === null ? null : passed_at > failed_at ? passed_at : failed_at;

/** When it had both results as far as was known before. */
export const wasFlakyAt = (run: Run): Timestamp | null => (run.before ? flakyAt(run.before) : null);

/** The branches on which a flake may be new: all on which the commit was run, where it has only now turned out to be one. */
export function flakyBranches(run: Run): readonly string[] {
  if (flakyAt(run) === null) return [];
  const branches = run.before?.branches ?? [];
  const added = [...run.on].filter((branch) => !branches.includes(branch));
  return wasFlakyAt(run) === null ? [...branches, ...added] : added;
}

/** Whether the latest occurrence of the test turns out to be an earlier one: an execution was recorded late. */
export function movesBack({ before, runs }: Seen): boolean {
  const latest = before?.latest_occurrence_at ?? null;
  return latest !== null && [...runs.values()].some((run) => wasFlakyAt(run) === latest && flakyAt(run) !== latest);
}
