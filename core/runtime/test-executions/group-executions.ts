import type { Row, Timestamp } from '../../model/index.js';
import type { Execution } from './execution-input.js';

/** A test with executions: its stored row, its latest execution, and its results on each commit. */
export interface TestUpdate {
  readonly before: Row<'test'> | undefined;
  latest: Execution;
  readonly commitResults: Map<string, CommitResult>;
}

/** The results of a test on one commit, including the new executions. */
export interface CommitResult {
  readonly commit: string;
  readonly before: Row<'testCommit'> | undefined;
  /** The times of the first passed and of the first failed execution. */
  passed_at: Timestamp | null;
  failed_at: Timestamp | null;
  /** Branches of the new executions. */
  readonly addedBranches: Set<string>;
}

/**
 * Combines executions with the stored rows, by test and by commit. The result does not depend on the order of the executions,
 * except for two of one test at the same time: the later one in the list sets the location.
 */
export function groupExecutions(
  tests: readonly Row<'test'>[],
  commits: readonly Row<'testCommit'>[],
  executions: readonly Execution[],
): TestUpdate[] {
  const storedTests = new Map(tests.map((test) => [test.identity, test]));
  const storedCommits = new Map(
    commits.map((commitResult) => [`${commitResult.test_id}/${commitResult.commit}`, commitResult]),
  );
  const updates = new Map<string, TestUpdate>();

  for (const execution of executions) {
    const { identity, commit, result, at, branch } = execution;
    let update = updates.get(identity);
    if (update === undefined) {
      update = { before: storedTests.get(identity), latest: execution, commitResults: new Map() };
      updates.set(identity, update);
    } else if (at >= update.latest.at) update.latest = execution;
    if (result === 'skipped') continue;

    let commitResult = update.commitResults.get(commit);
    if (commitResult === undefined) {
      const before = update.before && storedCommits.get(`${update.before.id}/${commit}`);
      const { passed_at = null, failed_at = null } = before ?? {};
      commitResult = { commit, before, passed_at, failed_at, addedBranches: new Set() };
      update.commitResults.set(commit, commitResult);
    }
    const first = result === 'passed' ? 'passed_at' : 'failed_at';
    const earliest_at = commitResult[first];
    if (earliest_at === null || at < earliest_at) commitResult[first] = at;
    commitResult.addedBranches.add(branch);
  }
  return [...updates.values()];
}

/** When the commit had both results: the later of its first passed and first failed execution. Null if one is missing. */
export const flakyAt = ({ passed_at, failed_at }: Pick<CommitResult, 'passed_at' | 'failed_at'>): Timestamp | null =>
  passed_at === null || failed_at === null ? null : passed_at > failed_at ? passed_at : failed_at;

/** The same time before the new executions. */
export const wasFlakyAt = (commitResult: CommitResult): Timestamp | null =>
  commitResult.before ? flakyAt(commitResult.before) : null;

/** The branches on which the flake may be new. If the commit only now turned out to be flaky, all of its branches. */
export function newFlakyBranches(commitResult: CommitResult): readonly string[] {
  if (flakyAt(commitResult) === null) return [];
  const branches = commitResult.before?.branches ?? [];
  const added = [...commitResult.addedBranches].filter((branch) => !branches.includes(branch));
  return wasFlakyAt(commitResult) === null ? [...branches, ...added] : added;
}

/** Whether the latest occurrence of the test becomes earlier, because an execution was recorded late. */
export function latestOccurrenceMovesBack({ before, commitResults }: TestUpdate): boolean {
  const latest = before?.latest_occurrence_at ?? null;
  return (
    latest !== null &&
    [...commitResults.values()].some(
      (commitResult) => wasFlakyAt(commitResult) === latest && flakyAt(commitResult) !== latest,
    )
  );
}
