import type { Infer } from '../../contract/schema.js';
import type { Shell } from '../../execute.js';
import { callable } from '../call.js';
import type { Recorded } from './detect.js';
import { batchSize, record, resolve } from './record.js';

/** Tests of suites: recording their executions, and resolving flaky ones. */
export function makeTests(shell: Shell) {
  const recordBatch = callable(record, shell);
  return {
    /**
     * Records executions in their order, any number of them; each batch of some hundreds is kept at once. The reply counts the
     * executions and names the tests that were seen to be flaky.
     */
    async record(input: Infer<typeof record.input>): Promise<Recorded> {
      const { executions } = input;
      const flaky: string[] = [];
      for (let from = 0; from < executions.length; from += batchSize) {
        const part = await recordBatch({ ...input, executions: executions.slice(from, from + batchSize) });
        flaky.push(...part.flaky);
      }
      return { executions: executions.length, flaky };
    },
    resolve: callable(resolve, shell),
  };
}
