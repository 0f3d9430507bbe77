import type { Command } from '../../commands/command.js';
import { selectAll } from '../../commands/select-all.js';
import { type ApiError, errors, isApiError } from '../../errors/index.js';
import type { Row, Timestamp } from '../../model/index.js';
import type { Reader } from '../../ports/storage.js';
import { countNewIds, type DetectionInput, detectFlakyTests } from './detect-flaky-tests.js';
import type { Execution } from './execution-input.js';
import { groupExecutions, latestOccurrenceMovesBack, newFlakyBranches, type TestUpdate } from './group-executions.js';

/** Executions of tests of a suite, as many as go into one commit of the storage. */
export interface ExecutionChunk {
  /** Slugs. */
  readonly organization: string;
  readonly suite: string;
  readonly executions: readonly Execution[];
}

/**
 * Records a portion; the reply names the tests that were seen to be flaky on one more commit. Whoever records the same new
 * test at the same time meets its unique key, and whoever changes the same test its version: both are decided again.
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

/** The tests by name, and of each only the commits on which it was run now: however much is stored, no more is read. */
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

/** Reads for a test no more than its runs and one: the latest occurrence on another commit is among these. */
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

/** Ids of known tests by what they are asked for together. */
function groupIds(pairs: readonly (readonly [string, string | undefined])[]): [string, string[]][] {
  const groups = new Map<string, Set<string>>();
  for (const [key, id] of pairs) if (id !== undefined) groups.set(key, (groups.get(key) ?? new Set()).add(id));
  return [...groups].map(([key, ids]) => [key, [...ids]]);
}
