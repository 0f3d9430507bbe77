import { selectAll } from '../commands/select-all.js';
import { stringParameter } from '../http/parameters.js';
import { FlakyTest, renderFlakyTest } from '../representations/flaky-test.js';
import { list } from './contract/operation.js';

const listFlakyTests = list({
  id: 'flakyTests.list',
  summary: 'List flaky tests',
  description: 'The one that was flaky last first.',
  method: 'GET',
  path: '/v2/analytics/organizations/{organization}/suites/{suite}/flaky-tests',
  scope: 'read_suites',
  query: {
    search: stringParameter('Tests whose name or scope has this in it; with the Ruby collector their location as well'),
    branch: stringParameter('Tests that were flaky on this branch'),
  },
  item: FlakyTest,
  source: 'test.flaky',
  async where({ records, query, reader }) {
    const { suite } = records;
    const { search, branch } = query;
    const onBranch =
      branch === undefined ? undefined : await selectAll(reader, 'testBranch.inSuite', { suite: suite.id, branch });
    return {
      suite: suite.id,
      flaky: true,
      ids: onBranch?.map((record) => record.test_id),
      ...(suite.collector === 'ruby' ? { named_or_located: search } : { named: search }),
    };
  },
  render: (rows, { records, links }) =>
    rows.map((test) => renderFlakyTest(test, records.organization.slug, records.suite.slug, links)),
});

/** Flaky tests (spec 4.8). */
export const flakyTests = [listFlakyTests];
