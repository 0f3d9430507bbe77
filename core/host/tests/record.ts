import { createHash } from 'node:crypto';
import { merge, replace } from '../../contract/batch.js';
import { parseTimestamp } from '../../contract/dates.js';
import type { Reader } from '../../contract/operation.js';
import { isUuid } from '../../contract/parameters.js';
import { invalid, notFound, Refusal } from '../../contract/refusal.js';
import { choice, type Infer, list, open, optional, text } from '../../contract/schema.js';
import { isStorable } from '../../contract/validation.js';
import type { Row } from '../../model/index.js';
import { everything } from '../../operations/clusters.js';
import { hostCommand } from '../call.js';
import { type Execution, record as recordExecutions } from './detect.js';

const long = (maxLength: number) => text({ maxLength });

const ExecutionInput = open({
  scope: optional(long(10_000)),
  name: text({ minLength: 1, maxLength: 10_000 }),
  location: optional(long(10_000)),
  file_name: optional(long(10_000)),
  result: choice(['passed', 'failed', 'skipped']),
  commit: text({ minLength: 1, maxLength: 255 }),
  branch: text({ minLength: 1, maxLength: 255 }),
  at: optional(text({ description: 'ISO 8601; absent: now' })),
});
type ExecutionInput = Infer<typeof ExecutionInput>;

/** Test executions that go into one commit of the storage. */
export const batchSize = 500;

/** Records executions of tests of a suite. */
export const record = hostCommand({
  id: 'tests.record',
  input: open({
    organization: text({ description: 'Slug' }),
    suite: text({ description: 'Slug' }),
    executions: list(ExecutionInput, { maxItems: batchSize }),
  }),
  async load({ input, reader, now }) {
    const suite = await suiteOf(input, reader);
    if (suite instanceof Refusal) return suite;
    const executions = input.executions.map((given) => executionOf(given, now()));
    const broken = executions.indexOf(undefined);
    if (broken >= 0) return invalid(`Execution ${broken} has a malformed time or a character that cannot be stored`);
    return known(suite, executions as Execution[], reader);
  },
  ids: (_loaded, { executions }) => executions.length * 3,
  decide: ({ executions, ...rest }, { ids, now }) => recordExecutions(rest, executions, ids, now),
});

async function suiteOf(
  input: { organization: string; suite: string },
  reader: Reader,
): Promise<Row<'suite'> | Refusal> {
  const [organization] = await reader.select('organization.bySlug', { slug: input.organization }, 1);
  if (!organization) return notFound('organization');
  const [suite] = await reader.select('suite.bySlug', { organization: organization.id, slug: input.suite }, 1);
  return suite ?? notFound('suite');
}

function executionOf(given: ExecutionInput, now: string): Execution | undefined {
  const { scope = '', name, location = '', file_name = '', result, commit, branch } = given;
  const at = given.at === undefined ? now : parseTimestamp(given.at);
  if (at === undefined || !isStorable(given)) return undefined;
  const identity = createHash('sha256').update(`${scope}\u0000${name}`).digest('hex');
  return { scope, name, location, file_name, result, commit, branch, at, identity };
}

/** What has to be known before: the tests by name, and of these only the commits and branches that were run. */
async function known(suite: Row<'suite'>, executions: readonly Execution[], reader: Reader) {
  const identities = [...new Set(executions.map((execution) => execution.identity))];
  const tests = await everything(reader, 'test.byIdentity', { suite: suite.id, identity: identities });
  const ids = tests.map((test) => test.id);
  const each = <T>(values: readonly string[], look: (value: string) => Promise<T[]>) =>
    ids.length === 0 ? [] : Promise.all([...new Set(values)].map(look)).then((found) => found.flat());
  const [commits, branches] = await Promise.all([
    each(
      executions.map((execution) => execution.commit),
      (commit) => everything(reader, 'testCommit.ofTests', { tests: ids, commit }),
    ),
    each(
      executions.map((execution) => execution.branch),
      (branch) => everything(reader, 'testBranch.ofTests', { tests: ids, branch }),
    ),
  ]);
  return { suite, tests, commits, branches, executions };
}

/** Notes that somebody has dealt with a flaky test. Nothing clears that (decisions 10). */
export const resolve = hostCommand({
  id: 'tests.resolve',
  input: open({ test: text({ description: 'Id of the test' }) }),
  async load({ input, reader }) {
    const [test] = isUuid(input.test) ? await reader.load('test.byIdentity', [input.test.toLowerCase()]) : [];
    return test ?? notFound('test');
  },
  decide: (test, { now }) => ({
    batch: merge({ replace: [replace('test', test, { last_resolved_at: now })] }),
    reply: { ...test, last_resolved_at: now },
  }),
});
