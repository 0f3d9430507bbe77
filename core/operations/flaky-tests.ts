import { list } from '../contract/operation.js';
import { textParameter } from '../contract/parameters.js';
import { FlakyTest, presentFlakyTest } from '../representations/flaky-test.js';
import { everything } from './clusters.js';

const listFlakyTests = list({
  id: 'flakyTests.list',
  summary: 'List flaky tests',
  description: 'The one that was flaky last first.',
  method: 'GET',
  path: '/v2/analytics/organizations/{organization}/suites/{suite}/flaky-tests',
  scope: 'read_suites',
  query: {
    search: textParameter('Tests whose name or scope has this in it; with the Ruby collector their location as well'),
    branch: textParameter('Tests that were flaky on this branch'),
  },
  of: FlakyTest,
  source: 'test.flaky',
  async where({ at, query, reader }) {
    const { suite } = at;
    const { search, branch } = query;
    const onBranch =
      branch === undefined ? undefined : await everything(reader, 'testBranch.inSuite', { suite: suite.id, branch });
    return {
      suite: suite.id,
      flaky: true,
      ids: onBranch?.map((record) => record.test_id),
      ...(suite.collector === 'ruby' ? { named_or_located: search } : { named: search }),
    };
  },
  present: (rows, { at, links }) =>
    rows.map((test) => presentFlakyTest(test, at.organization.slug, at.suite.slug, links)),
});

/** Flaky tests (spec 4.8). */
export const flakyTests = [listFlakyTests];
