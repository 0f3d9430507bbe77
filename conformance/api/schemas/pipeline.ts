import { flag, object, orNull, text, timestamp, url, uuid } from '../schema.js';

/** The pipeline of a build (spec 2.5). */
export const Pipeline = object({
  id: uuid,
  graphql_id: text,
  url: url,
  web_url: url,
  name: text,
  slug: text,
  repository: text,
  branch_configuration: orNull(text),
  default_branch: text,
  provider: object(
    {
      id: text,
      webhook_url: text,
    },
    {
      settings: object(
        {},
        {
          trigger_mode: text,
          repository: text,
          build_pull_requests: flag,
          pull_request_branch_filter_enabled: flag,
          skip_pull_request_builds_for_existing_commits: flag,
          build_pull_request_forks: flag,
          prefix_pull_request_fork_branch_names: flag,
          build_tags: flag,
          publish_commit_status: flag,
          publish_commit_status_per_step: flag,
          publish_blocked_as_pending: flag,
        },
      ),
    },
  ),
  skip_queued_branch_builds: flag,
  skip_queued_branch_builds_filter: orNull(text),
  cancel_running_branch_builds: flag,
  cancel_running_branch_builds_filter: orNull(text),
  builds_url: url,
  badge_url: url,
  created_at: timestamp,
  scheduled_builds_count: { type: 'integer', minimum: 0 },
  running_builds_count: { type: 'integer', minimum: 0 },
  scheduled_jobs_count: { type: 'integer', minimum: 0 },
  running_jobs_count: { type: 'integer', minimum: 0 },
  waiting_jobs_count: { type: 'integer', minimum: 0 },
});
