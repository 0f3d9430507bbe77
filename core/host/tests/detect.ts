import { insert, merge, type New, replace } from '../../contract/batch.js';
import type { Row, Timestamp } from '../../model/index.js';
import type { Batch, NewEvent } from '../../ports/index.js';

/** One run of one test, as a collector reports it. */
export interface Execution {
  readonly scope: string;
  readonly name: string;
  readonly location: string;
  readonly file_name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly commit: string;
  readonly branch: string;
  readonly at: Timestamp;
  /** SHA-256 of scope and name: what the test is known by. */
  readonly identity: string;
}

/** What is known so far of the tests that were run, and of their commits and branches. */
export interface Known {
  readonly suite: Row<'suite'>;
  readonly tests: readonly Row<'test'>[];
  readonly commits: readonly Row<'testCommit'>[];
  readonly branches: readonly Row<'testBranch'>[];
}

export interface Recorded {
  readonly executions: number;
  /** Ids of the tests that were seen to be flaky on one more commit. */
  readonly flaky: readonly string[];
}

/** A record while executions are added to it: `version` 0 says that it is new. */
type Draft<E extends DraftEntity> = { -readonly [K in keyof Row<E>]: Row<E>[K] };

/**
 * Adds executions to what is known. A test is flaky when the same commit has both a passed and a failed execution of it in the
 * suite (decisions 10): an occurrence is counted once for each such commit, when its second result comes in. What has to be
 * remembered for that is two flags for each test and commit, so that recording costs the same however much was recorded before.
 */
export function record(known: Known, executions: readonly Execution[], freshIds: readonly string[], now: Timestamp) {
  const ids = freshIds[Symbol.iterator]();
  const id = (): string => ids.next().value ?? '';
  const tests = new Map(known.tests.map((test) => [test.identity, { ...test } as Draft<'test'>]));
  const commits = new Map(known.commits.map((of) => [`${of.test_id}/${of.commit}`, { ...of } as Draft<'testCommit'>]));
  const branches = new Map(known.branches.map((of) => [`${of.test_id}/${of.branch}`, of as Draft<'testBranch'>]));
  const touched = new Set<Draft<'test'> | Draft<'testCommit'>>();
  const flaky: string[] = [];
  const events: NewEvent[] = [];
  const own = { organization_id: known.suite.organization_id, suite_id: known.suite.id, version: 0 };

  for (const execution of executions) {
    const { identity, scope, name, commit, branch, result, at } = execution;
    const test =
      tests.get(identity) ??
      found(tests, identity, {
        ...own,
        id: id(),
        identity,
        scope,
        name,
        location: execution.location,
        file_name: execution.file_name,
        flaky: false,
        instances: 0,
        latest_occurrence_at: null,
        most_recent_instance_at: at,
        last_resolved_at: null,
        created_at: now,
      });
    touched.add(test);
    if (at >= test.most_recent_instance_at) {
      Object.assign(test, {
        most_recent_instance_at: at,
        location: execution.location,
        file_name: execution.file_name,
      });
    }
    if (result === 'skipped') continue;
    const key = `${test.id}/${commit}`;
    const seen =
      commits.get(key) ??
      found(commits, key, { ...own, id: id(), test_id: test.id, commit, passed: false, failed: false });
    if (seen[result]) continue;
    seen[result] = true;
    touched.add(seen);
    if (!seen.passed || !seen.failed) continue;
    test.flaky = true;
    test.instances += 1;
    if (test.latest_occurrence_at === null || at > test.latest_occurrence_at) test.latest_occurrence_at = at;
    flaky.push(test.id);
    events.push(flakyEvent(test, commit, branch, now));
    const onBranch = `${test.id}/${branch}`;
    if (!branches.has(onBranch)) {
      found(branches, onBranch, { ...own, id: id(), test_id: test.id, branch, created_at: now });
    }
  }

  const batch: Batch = merge(
    change(
      'test',
      [...tests.values()].filter((test) => touched.has(test)),
    ),
    change(
      'testCommit',
      [...commits.values()].filter((of) => touched.has(of)),
    ),
    change(
      'testBranch',
      [...branches.values()].filter((of) => of.version === 0),
    ),
    { events },
  );
  const reply: Recorded = { executions: executions.length, flaky };
  return { batch, reply };
}

function found<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}

type DraftEntity = 'test' | 'testCommit' | 'testBranch';

const change = <E extends DraftEntity>(entity: E, rows: readonly Draft<E>[]): Partial<Batch> => {
  const drafts = rows as unknown as readonly (New<E> & { readonly version: number })[];
  return {
    insert: drafts.filter((row) => row.version === 0).map((row) => insert(entity, row)),
    replace: drafts.filter((row) => row.version > 0).map((row) => replace(entity, row)),
  };
};

const flakyEvent = (test: Row<'test'>, commit: string, branch: string, at: Timestamp): NewEvent => ({
  type: 'test.flaky',
  organization_id: test.organization_id,
  at,
  data: { test_id: test.id, suite_id: test.suite_id, scope: test.scope, name: test.name, commit, branch },
});
