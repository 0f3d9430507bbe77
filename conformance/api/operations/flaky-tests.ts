import type { Operation } from '../operation.js';
import { arrayOf, text } from '../schema.js';
import { FlakyTest } from '../schemas/flaky-test.js';

export const flakyTestsOperations: readonly Operation[] = [
  {
    id: 'flakyTests.list',
    form: 'list',
    method: 'GET',
    path: '/v2/analytics/organizations/{organization}/suites/{suite}/flaky-tests',
    scope: 'read_suites',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    query: {
      search: { form: 'single', schema: text },
      branch: { form: 'single', schema: text },
    },
    reply: arrayOf(FlakyTest),
  },
];
