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

/** The largest number of executions in one commit of the storage. */
const chunkSize = 500;

/** Creates the functions of the runtime for tests. */
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
      // Calls for the same suite change the same records. Within a process they run one after another, to avoid conflicts.
      return serialize(`${names.value.organization}/${names.value.suite}`, () => recordAll(names.value, executions));
    },
    resolve: bindCommand(resolve, commandRuntime),
  };
}

/** There is at least one chunk, so that an unknown suite is an error even without executions. */
function chunksByCommit(executions: readonly Execution[]): (readonly Execution[])[] {
  // Sorted by commit, so that few commits have to be looked up for a chunk.
  const sorted = executions.toSorted((a, b) => (a.commit < b.commit ? -1 : a.commit > b.commit ? 1 : 0));
  const count = Math.max(1, Math.ceil(sorted.length / chunkSize));
  return Array.from({ length: count }, (_, index) => sorted.slice(index * chunkSize, (index + 1) * chunkSize));
}
