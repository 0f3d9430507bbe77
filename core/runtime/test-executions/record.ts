import type { Command } from '../../commands/command.js';
import { selectAll } from '../../commands/select-all.js';
import { type ApiError, errors, isApiError } from '../../errors/index.js';
import type { Row, Timestamp } from '../../model/index.js';
import type { Reader } from '../../ports/storage.js';
import { countNewIds, type DetectionInput, detectFlakyTests } from './detect-flaky-tests.js';
import type { Execution } from './execution-input.js';
import { groupExecutions, latestOccurrenceMovesBack, newFlakyBranches, type TestUpdate } from './group-executions.js';

/** A chunk of executions of tests of a suite, which is recorded in one commit of the storage. */
export interface ExecutionChunk {
  /** Slugs. */
  readonly organization: string;
  readonly suite: string;
  readonly executions: readonly Execution[];
}

/**
 * Records a chunk. The reply has the tests that turned out to be flaky on another commit. If two commands insert the same test at
 * the same time, its unique key fails one of them; if two change the same test, its version does. The command is then retried.
 */
export const record: Command<null, ExecutionChunk, DetectionInput, readonly string[]> = {
  async load({ input, reader }) {
    const suite = await loadSuite(input, reader);
    if (isApiError(suite)) return suite;
    const updates = await loadTestUpdates(suite, input.executions, reader);
    const [branches, latestElsewhere] = await Promise.all([
      loadKnownBranches(updates, reader),
      loadLatestElsewhere(updates, reader),
    ]);
    return { suite, updates, branches, latestElsewhere };
  },
  ids: ({ updates }) => countNewIds(updates),
  decide: (loaded, { ids, now }) => detectFlakyTests(loaded, ids, now),
};

async function loadSuite({ organization, suite }: ExecutionChunk, reader: Reader): Promise<Row<'suite'> | ApiError> {
  const [owner] = await reader.select('organization.bySlug', { slug: organization }, 1);
  if (!owner) return errors.organizationNotFound();
  const [found] = await reader.select('suite.bySlug', { organization: owner.id, slug: suite }, 1);
  return found ?? errors.suiteNotFound();
}

/** The tests by identity, each with only the commits of the new executions, so that the cost does not grow with the history. */
async function loadTestUpdates(
  suite: Row<'suite'>,
  executions: readonly Execution[],
  reader: Reader,
): Promise<TestUpdate[]> {
  const identity = [...new Set(executions.map((execution) => execution.identity))];
  if (identity.length === 0) return [];
  const tests = await selectAll(reader, 'test.byIdentity', { suite: suite.id, identity });
  const ids = new Map(tests.map((test) => [test.identity, test.id]));
  const lookups = groupIds(executions.map((execution) => [execution.commit, ids.get(execution.identity)]));
  const commits = await Promise.all(
    lookups.map(([commit, testIds]) => selectAll(reader, 'testCommit.ofTests', { tests: testIds, commit })),
  );
  return groupExecutions(tests, commits.flat(), executions);
}

async function loadKnownBranches(updates: readonly TestUpdate[], reader: Reader): Promise<Set<string>> {
  const lookups = groupIds(
    updates.flatMap(({ before, commitResults }) =>
      [...commitResults.values()].flatMap((run) =>
        newFlakyBranches(run).map((branch) => [branch, before?.id] as const),
      ),
    ),
  );
  const found = await Promise.all(
    lookups.map(([branch, testIds]) => selectAll(reader, 'testBranch.ofTests', { tests: testIds, branch })),
  );
  return new Set(found.flat().map(({ test_id, branch }) => `${test_id}/${branch}`));
}

/** Reads one more occurrence than the test has commits here. One of them is the latest occurrence on another commit. */
async function loadLatestElsewhere(
  updates: readonly TestUpdate[],
  reader: Reader,
): Promise<Map<string, Timestamp | null>> {
  const latest = async ({ before, commitResults }: TestUpdate): Promise<[string, Timestamp | null][]> => {
    if (!before) return [];
    const rows = await reader.select('testCommit.occurrences', { test: before.id }, commitResults.size + 1);
    return [[before.id, rows.find(({ commit }) => !commitResults.has(commit))?.flaky_at ?? null]];
  };
  return new Map((await Promise.all(updates.filter(latestOccurrenceMovesBack).map(latest))).flat());
}

/** Ids of stored tests, grouped by a key with which they are looked up together. */
function groupIds(pairs: readonly (readonly [string, string | undefined])[]): [string, string[]][] {
  const groups = new Map<string, Set<string>>();
  for (const [key, id] of pairs) if (id !== undefined) groups.set(key, (groups.get(key) ?? new Set()).add(id));
  return [...groups].map(([key, ids]) => [key, [...ids]]);
}
