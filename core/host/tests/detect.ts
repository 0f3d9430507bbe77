import { isDeepStrictEqual } from 'node:util';
import { insert, merge, type New, replace } from '../../contract/batch.js';
import type { EntityName, Row, Timestamp } from '../../model/index.js';
import type { Batch, NewEvent } from '../../ports/index.js';
import { flakyAt, flakyBranches, type Run, type Seen, wasFlakyAt } from './gather.js';

/** What the executions add up to, and what else has to be known. */
export interface Known {
  readonly suite: Row<'suite'>;
  readonly seen: readonly Seen[];
  /** As `test id/branch`: where the tests are known to be flaky, of the branches that the executions could add. */
  readonly branches: ReadonlySet<string>;
  /** By test id, where the latest occurrence moves back: the latest on a commit that is not among the runs, if any. */
  readonly elsewhere: ReadonlyMap<string, Timestamp | null>;
}

export interface Detected {
  readonly batch: Batch;
  /** Ids of the tests that were seen to be flaky on one more commit. */
  readonly reply: readonly string[];
}

/** So many branches are remembered of a test on a commit, in case that it turns out to be flaky there. */
const branchesRemembered = 100;

/** At most so many fresh ids are needed. */
export const idsNeeded = (known: readonly Seen[]): number =>
  known.reduce((sum, { before, runs }) => {
    const ofRuns = [...runs.values()].map((run) => (run.before ? 0 : 1) + flakyBranches(run).length);
    return ofRuns.reduce((total, count) => total + count, sum + (before ? 0 : 1));
  }, 0);

/**
 * Decides what changes. A test is flaky when the same commit has both a passed and a failed execution of it in the suite
 * (decisions 10). Each such commit is one occurrence, at the moment when it had both: the later of its first passed and its
 * first failed execution. So the outcome is the same in whatever order and portions executions are recorded.
 */
export function detect({ suite, seen, branches, elsewhere }: Known, ids: readonly string[], now: Timestamp): Detected {
  const fresh = ids[Symbol.iterator]();
  const own = () => ({ id: fresh.next().value ?? '', organization_id: suite.organization_id, suite_id: suite.id });
  const parts: Partial<Batch>[] = [];
  const flaky: string[] = [];

  for (const one of seen) {
    const runs = [...one.runs.values()];
    const test = { ...(one.before ?? { ...own(), created_at: now }), ...judged(one, runs, elsewhere) };
    // Where an occurrence moves, the test changes as well, even if it looks the same: another process may be about to tell the
    // latest occurrence from what was stored before.
    const moves = runs.some((run) => flakyAt(run) !== wasFlakyAt(run));
    parts.push(change('test', one.before, test, moves));

    for (const run of runs) {
      const { passed_at, failed_at, commit } = run;
      const remembered = [...new Set([...(run.before?.branches ?? []), ...run.on])].slice(0, branchesRemembered);
      const state = { passed_at, failed_at, flaky_at: flakyAt(run), branches: remembered };
      parts.push(
        change('testCommit', run.before, { ...(run.before ?? { ...own(), test_id: test.id, commit }), ...state }),
      );
      if (flakyAt(run) !== null && wasFlakyAt(run) === null) {
        flaky.push(test.id);
        parts.push({ events: [flakyEvent(test, run, now)] });
      }
    }

    for (const branch of new Set(runs.flatMap(flakyBranches))) {
      if (branches.has(`${test.id}/${branch}`)) continue;
      parts.push({ insert: [insert('testBranch', { ...own(), test_id: test.id, branch, created_at: now })] });
    }
  }
  return { batch: merge(...parts), reply: [...new Set(flaky)] };
}

/** What the executions make of a test. */
function judged({ before, latest }: Seen, runs: readonly Run[], elsewhere: Known['elsewhere']) {
  const isNewest = before === undefined || latest.at >= before.most_recent_instance_at;
  const { identity, scope, name, location, file_name } = isNewest ? latest : before;
  const others = before && elsewhere.has(before.id) ? elsewhere.get(before.id) : before?.latest_occurrence_at;
  const occurrences = [others ?? null, ...runs.map(flakyAt)].filter((at) => at !== null).sort();
  const added = runs.filter((run) => flakyAt(run) !== null && wasFlakyAt(run) === null).length;
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

/** A record that is new, or other than it was; nothing if it stays as it is. */
function change<E extends 'test' | 'testCommit'>(
  entity: E,
  before: Stored<E> | undefined,
  row: New<E>,
  anyway = false,
): Partial<Batch> {
  if (before === undefined) return { insert: [insert(entity, row)] };
  const after = { ...row, version: before.version };
  return !anyway && isDeepStrictEqual(after, { ...before }) ? {} : { replace: [replace(entity, after)] };
}

type Stored<E extends EntityName> = New<E> & { readonly version: number };

const flakyEvent = (test: New<'test'>, run: Run, at: Timestamp): NewEvent => ({
  type: 'test.flaky',
  organization_id: test.organization_id,
  at,
  data: {
    test_id: test.id,
    suite_id: test.suite_id,
    scope: test.scope,
    name: test.name,
    commit: run.commit,
    branches: flakyBranches(run),
  },
});
