import { type CommandRuntime, execute } from '../../commands/execute.js';
import { errors, isApiError } from '../../errors/index.js';
import { looseObject, string } from '../../schema/schema.js';
import { describeProblems, validate } from '../../schema/validation.js';
import { bindCommand } from '../runtime-command.js';
import { type Execution, parseExecutions } from './execution-input.js';
import { makeKeyedMutex } from './keyed-mutex.js';
import { record } from './record.js';
import { resolve } from './resolve.js';
import type { RecordInput, RecordResult, TestsRuntime } from './tests-runtime.js';

export { type ExecutionInput, maxLengths } from './execution-input.js';
export type { RecordInput, RecordResult, ResolveInput, TestRecord, TestsRuntime } from './tests-runtime.js';

const suiteReference = looseObject({
  organization: string({ description: 'Slug' }),
  suite: string({ description: 'Slug' }),
});

/** Executions that go into one commit of the storage. */
const chunkSize = 500;

/** Tests of suites: recording their executions, and resolving flaky ones. */
export function makeTestExecutions(commandRuntime: CommandRuntime): TestsRuntime {
  const serialize = makeKeyedMutex();

  async function recordAll(names: { organization: string; suite: string }, executions: readonly Execution[]) {
    const flaky = new Set<string>();
    for (const chunk of chunksByCommit(executions)) {
      const reply = await execute(
        record,
        { input: { ...names, executions: chunk }, query: {}, caller: null, locate: async () => null },
        commandRuntime,
      );
      if (isApiError(reply)) throw reply;
      for (const test of reply) flaky.add(test);
    }
    return { executions: executions.length, flaky: [...flaky] };
  }

  return {
    async record(input: RecordInput): Promise<RecordResult> {
      const { organization, suite, executions: rawExecutions } = (input ?? {}) as Partial<RecordInput>;
      const names = await validate(suiteReference, { organization, suite });
      if ('problems' in names) throw errors.validationFailed({ reasons: describeProblems(names.problems) });
      const executions = await parseExecutions(rawExecutions, commandRuntime.context.now());
      if (isApiError(executions)) throw executions;
      // Those who record tests of the same suite change the same records: in one process, they need not collide.
      return serialize(`${names.value.organization}/${names.value.suite}`, () => recordAll(names.value, executions));
    },
    resolve: bindCommand(resolve, commandRuntime),
  };
}

/** At least one, so that an unknown suite is told even if nothing was run. */
function chunksByCommit(executions: readonly Execution[]): (readonly Execution[])[] {
  // Those of one commit stand together, so that few commits have to be looked up for a portion.
  const sorted = executions.toSorted((a, b) => (a.commit < b.commit ? -1 : a.commit > b.commit ? 1 : 0));
  const count = Math.max(1, Math.ceil(sorted.length / chunkSize));
  return Array.from({ length: count }, (_, index) => sorted.slice(index * chunkSize, (index + 1) * chunkSize));
}
