import type { Migration } from './migration.js';
import { counter, table } from './step-builders.js';

export const counters: Migration = {
  version: 2,
  name: 'tallies',
  steps: [
    table(
      'tallies',
      `
      owner id, tally text, value text, slot integer, count integer`,
      ['owner', 'tally', 'value', 'slot'],
    ),
    counter('builds_pipeline_id_state', 'builds', 'pipeline_id', 'state', 'value'),
    counter('builds_pipeline_id_created_at_day', 'builds', 'pipeline_id', 'created_at', 'day'),
    counter('builds_pipeline_id_created_at_month', 'builds', 'pipeline_id', 'created_at', 'month'),
    counter('builds_organization_id_created_at_day', 'builds', 'organization_id', 'created_at', 'day'),
    counter('builds_organization_id_created_at_month', 'builds', 'organization_id', 'created_at', 'month'),
    counter('jobs_pipeline_id_state', 'jobs', 'pipeline_id', 'state', 'value'),
    // What a unique key finds needs no index for its order.
    { dropIndex: 'test_branches_test_id_branch_id' },
    { dropIndex: 'test_commits_test_id_commit_id' },
    { dropIndex: 'tests_suite_id_identity_id' },
  ],
};
