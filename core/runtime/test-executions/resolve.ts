import { merge, replace } from '../../commands/batch.js';
import { errors } from '../../errors/index.js';
import { looseObject, string } from '../../schema/schema.js';
import { isUuid } from '../../schema/uuid.js';
import { runtimeCommand } from '../runtime-command.js';

/** Marks a flaky test as resolved. Later flakes do not clear the mark (decisions 10). */
export const resolve = runtimeCommand({
  id: 'tests.resolve',
  input: looseObject({ test: string({ description: 'Id of the test' }) }),
  async load({ input, reader }) {
    const [test] = isUuid(input.test) ? await reader.load('test.byIdentity', [input.test.toLowerCase()]) : [];
    return test ?? errors.testNotFound();
  },
  decide: (test, { now }) => ({
    batch: merge({ replace: [replace('test', test, { last_resolved_at: now })] }),
    reply: { ...test, last_resolved_at: now },
  }),
});
