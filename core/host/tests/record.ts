import type { Command, Reader } from '../../contract/operation.js';
import { notFound, Refusal } from '../../contract/refusal.js';
import type { Row, Timestamp } from '../../model/index.js';
import { everything } from '../../operations/clusters.js';
import { detect, idsNeeded, type Known } from './detect.js';
import { flakyBranches, gather, movesBack, type Seen } from './gather.js';
import type { Execution } from './input.js';

/** Executions of tests of a suite, as many as go into one commit of the storage. */
export interface Portion {
  /** Slugs. */
  readonly organization: string;
  readonly suite: string;
  readonly executions: readonly Execution[];
}

/**
 * Records a portion; the reply names the tests that were seen to be flaky on one more commit. Whoever records the same new
 * test at the same time meets its unique key, and whoever changes the same test its version: both are decided again.
 */
export const record: Command<null, Portion, Known, readonly string[]> = {
  async load({ input, reader }) {
    const suite = await suiteOf(input, reader);
    if (suite instanceof Refusal) return suite;
    const seen = await seenOf(suite, input.executions, reader);
    const [branches, elsewhere] = await Promise.all([branchesOf(seen, reader), elsewhereOf(seen, reader)]);
    return { suite, seen, branches, elsewhere };
  },
  ids: ({ seen }) => idsNeeded(seen),
  decide: (known, { ids, now }) => detect(known, ids, now),
};

async function suiteOf({ organization, suite }: Portion, reader: Reader): Promise<Row<'suite'> | Refusal> {
  const [owner] = await reader.select('organization.bySlug', { slug: organization }, 1);
  if (!owner) return notFound('organization');
  const [found] = await reader.select('suite.bySlug', { organization: owner.id, slug: suite }, 1);
  return found ?? notFound('suite');
}

/** The tests by name, and of each only the commits on which it was run now: however much is stored, no more is read. */
async function seenOf(suite: Row<'suite'>, executions: readonly Execution[], reader: Reader): Promise<Seen[]> {
  const identity = [...new Set(executions.map((execution) => execution.identity))];
  if (identity.length === 0) return [];
  const tests = await everything(reader, 'test.byIdentity', { suite: suite.id, identity });
  const ids = new Map(tests.map((test) => [test.identity, test.id]));
  const asked = grouped(executions.map((execution) => [execution.commit, ids.get(execution.identity)]));
  const commits = await Promise.all(
    asked.map(([commit, of]) => everything(reader, 'testCommit.ofTests', { tests: of, commit })),
  );
  return gather(tests, commits.flat(), executions);
}

async function branchesOf(seen: readonly Seen[], reader: Reader): Promise<Set<string>> {
  const asked = grouped(
    seen.flatMap(({ before, runs }) =>
      [...runs.values()].flatMap((run) => flakyBranches(run).map((branch) => [branch, before?.id] as const)),
    ),
  );
  const found = await Promise.all(
    asked.map(([branch, of]) => everything(reader, 'testBranch.ofTests', { tests: of, branch })),
  );
  return new Set(found.flat().map(({ test_id, branch }) => `${test_id}/${branch}`));
}

/** Reads for a test no more than its runs and one: the latest occurrence on another commit is among these. */
async function elsewhereOf(seen: readonly Seen[], reader: Reader): Promise<Map<string, Timestamp | null>> {
  const latest = async ({ before, runs }: Seen): Promise<[string, Timestamp | null][]> => {
    if (!before) return [];
    const rows = await reader.select('testCommit.occurrences', { test: before.id }, runs.size + 1);
    return [[before.id, rows.find(({ commit }) => !runs.has(commit))?.flaky_at ?? null]];
  };
  return new Map((await Promise.all(seen.filter(movesBack).map(latest))).flat());
}

/** Ids of known tests by what they are asked for together. */
function grouped(pairs: readonly (readonly [string, string | undefined])[]): [string, string[]][] {
  const groups = new Map<string, Set<string>>();
  for (const [key, id] of pairs) if (id !== undefined) groups.set(key, (groups.get(key) ?? new Set()).add(id));
  return [...groups].map(([key, ids]) => [key, [...ids]]);
}
