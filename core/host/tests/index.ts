import { invalid, Refusal } from '../../contract/refusal.js';
import { open, text } from '../../contract/schema.js';
import { humanize, validate } from '../../contract/validation.js';
import { execute, type Shell } from '../../execute.js';
import { callable } from '../call.js';
import { type Execution, type ExecutionInput, readExecutions } from './input.js';
import { record } from './record.js';
import { resolve } from './resolve.js';
import { makeTurns } from './turns.js';

export { type ExecutionInput, longest } from './input.js';

/** Executions of tests of a suite. */
export interface RecordInput {
  /** Slug of the organization. */
  readonly organization: string;
  /** Slug of the suite. */
  readonly suite: string;
  readonly executions: readonly ExecutionInput[];
}

export interface Recorded {
  readonly executions: number;
  /** Ids of the tests that were seen to be flaky on one more commit. */
  readonly flaky: readonly string[];
}

const Names = open({ organization: text({ description: 'Slug' }), suite: text({ description: 'Slug' }) });

/** Executions that go into one commit of the storage. */
const portionSize = 500;

/** Tests of suites: recording their executions, and resolving flaky ones. */
export function makeTests(shell: Shell) {
  const inTurn = makeTurns();

  async function recordAll(names: { organization: string; suite: string }, executions: readonly Execution[]) {
    const flaky = new Set<string>();
    for (const portion of portions(executions)) {
      const reply = await execute(
        record,
        { input: { ...names, executions: portion }, query: {}, caller: null, locate: async () => null },
        shell,
      );
      if (reply instanceof Refusal) throw reply;
      for (const test of reply) flaky.add(test);
    }
    return { executions: executions.length, flaky: [...flaky] };
  }

  return {
    /**
     * Records executions, any number of them, in any order; in portions of some hundreds, each of which is kept at once. All are
     * checked before the first is written. It can be repeated: an execution that was recorded already counts no second time.
     */
    async record(input: RecordInput): Promise<Recorded> {
      const { organization, suite, executions: given } = (input ?? {}) as Partial<RecordInput>;
      const names = await validate(Names, { organization, suite });
      if ('problems' in names) {
        throw invalid(...names.problems.map(({ field, reason }) => `${humanize(field)} ${reason}`));
      }
      const executions = await readExecutions(given, shell.surroundings.now());
      if (executions instanceof Refusal) throw executions;
      // Those who record tests of the same suite change the same records: in one process, they need not collide.
      return inTurn(`${names.value.organization}/${names.value.suite}`, () => recordAll(names.value, executions));
    },
    resolve: callable(resolve, shell),
  };
}

/** At least one, so that an unknown suite is told even if nothing was run. */
function portions(executions: readonly Execution[]): (readonly Execution[])[] {
  // Those of one commit stand together, so that few commits have to be looked up for a portion.
  const sorted = executions.toSorted((a, b) => (a.commit < b.commit ? -1 : a.commit > b.commit ? 1 : 0));
  const count = Math.max(1, Math.ceil(sorted.length / portionSize));
  return Array.from({ length: count }, (_, place) => sorted.slice(place * portionSize, (place + 1) * portionSize));
}
