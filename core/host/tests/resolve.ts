import { merge, replace } from '../../contract/batch.js';
import { isUuid } from '../../contract/parameters.js';
import { notFound } from '../../contract/refusal.js';
import { open, text } from '../../contract/schema.js';
import { hostCommand } from '../call.js';

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
