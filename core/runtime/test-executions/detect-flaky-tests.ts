import { isDeepStrictEqual } from 'node:util';
import { insert, merge, type New, replace } from '../../commands/batch.js';
import type { EntityName, Row, Timestamp } from '../../model/index.js';
import type { Batch, NewEvent } from '../../ports/index.js';
import { type CommitResult, flakyAt, newFlakyBranches, type TestUpdate, wasFlakyAt } from './group-executions.js';

/** The executions by test and commit, and the stored records that the decision needs. */
export interface DetectionInput {
  readonly suite: Row<'suite'>;
  readonly updates: readonly TestUpdate[];
  /** The branches on which the tests are known to be flaky, as `test id/branch`, of those that the executions could add. */
  readonly branches: ReadonlySet<string>;
  /** For tests whose latest occurrence moves back, by id: the latest occurrence on a commit without new executions, if any. */
  readonly latestElsewhere: ReadonlyMap<string, Timestamp | null>;
}

export interface Detection {
  readonly batch: Batch;
  /** Ids of the tests that turned out to be flaky on another commit. */
  readonly reply: readonly string[];
}

/** The largest number of branches stored for a test on a commit. They are needed if it turns out to be flaky there. */
const maxBranchesPerCommit = 100;

/** The largest number of new ids that the decision needs. */
export const countNewIds = (known: readonly TestUpdate[]): number =>
  known.reduce((sum, { before, commitResults }) => {
    const ofRuns = [...commitResults.values()].map(
      (commitResult) => (commitResult.before ? 0 : 1) + newFlakyBranches(commitResult).length,
    );
    return ofRuns.reduce((total, count) => total + count, sum + (before ? 0 : 1));
  }, 0);

/**
 * Decides which records change. A test is flaky if the same commit has both a passed and a failed execution of it in the suite
 * (decisions 10). Each such commit is one occurrence. Its time is the later of the first passed and the first failed execution,
 * so the result does not depend on the order and the chunks in which executions are recorded.
 */
export function detectFlakyTests(
  { suite, updates, branches, latestElsewhere }: DetectionInput,
  ids: readonly string[],
  now: Timestamp,
): Detection {
  const fresh = ids[Symbol.iterator]();
  const newKeys = () => ({ id: fresh.next().value ?? '', organization_id: suite.organization_id, suite_id: suite.id });
  const parts: Partial<Batch>[] = [];
  const flaky: string[] = [];

  for (const update of updates) {
    const commitResults = [...update.commitResults.values()];
    const test = {
      ...(update.before ?? { ...newKeys(), created_at: now }),
      ...testColumns(update, commitResults, latestElsewhere),
    };
    // If an occurrence moves, the test is replaced even if its columns stay the same. Another process may be computing the latest
    // occurrence from the previous rows; its commit must conflict.
    const moves = commitResults.some((commitResult) => flakyAt(commitResult) !== wasFlakyAt(commitResult));
    parts.push(insertOrReplace('test', update.before, test, moves));

    for (const commitResult of commitResults) {
      const { passed_at, failed_at, commit } = commitResult;
      const remembered = [...new Set([...(commitResult.before?.branches ?? []), ...commitResult.addedBranches])].slice(
        0,
        maxBranchesPerCommit,
      );
      const state = { passed_at, failed_at, flaky_at: flakyAt(commitResult), branches: remembered };
      parts.push(
        insertOrReplace('testCommit', commitResult.before, {
          ...(commitResult.before ?? { ...newKeys(), test_id: test.id, commit }),
          ...state,
        }),
      );
      if (flakyAt(commitResult) !== null && wasFlakyAt(commitResult) === null) {
        flaky.push(test.id);
        parts.push({ events: [flakyEvent(test, commitResult, now)] });
      }
    }

    for (const branch of new Set(commitResults.flatMap(newFlakyBranches))) {
      if (branches.has(`${test.id}/${branch}`)) continue;
      parts.push({ insert: [insert('testBranch', { ...newKeys(), test_id: test.id, branch, created_at: now })] });
    }
  }
  return { batch: merge(...parts), reply: [...new Set(flaky)] };
}

/** The columns of a test after the executions. */
function testColumns(
  { before, latest }: TestUpdate,
  commitResults: readonly CommitResult[],
  elsewhere: DetectionInput['latestElsewhere'],
) {
  const isNewest = before === undefined || latest.at >= before.most_recent_instance_at;
  const { identity, scope, name, location, file_name } = isNewest ? latest : before;
  const others = before && elsewhere.has(before.id) ? elsewhere.get(before.id) : before?.latest_occurrence_at;
  const occurrences = [others ?? null, ...commitResults.map(flakyAt)].filter((at) => at !== null).sort();
  const added = commitResults.filter(
    (commitResult) => flakyAt(commitResult) !== null && wasFlakyAt(commitResult) === null,
  ).length;
  return {
    identity,
    scope,
    name,
    location,
    file_name,
    flaky: occurrences.length > 0,
    instances: (before?.instances ?? 0) + added,
    latest_occurrence_at: occurrences.at(-1) ?? null,
    most_recent_instance_at: isNewest ? latest.at : before.most_recent_instance_at,
    last_resolved_at: before?.last_resolved_at ?? null,
  };
}

/** Inserts a new record, or replaces one that differs. An empty batch if it does not differ. */
function insertOrReplace<E extends 'test' | 'testCommit'>(
  entity: E,
  before: Stored<E> | undefined,
  row: New<E>,
  force = false,
): Partial<Batch> {
  if (before === undefined) return { insert: [insert(entity, row)] };
  const after = { ...row, version: before.version };
  return !force && isDeepStrictEqual(after, { ...before }) ? {} : { replace: [replace(entity, after)] };
}

type Stored<E extends EntityName> = New<E> & { readonly version: number };

const flakyEvent = (test: New<'test'>, commitResult: CommitResult, at: Timestamp): NewEvent => ({
  type: 'test.flaky',
  organization_id: test.organization_id,
  at,
  data: {
    test_id: test.id,
    suite_id: test.suite_id,
    scope: test.scope,
    name: test.name,
    commit: commitResult.commit,
    branches: newFlakyBranches(commitResult),
  },
});
