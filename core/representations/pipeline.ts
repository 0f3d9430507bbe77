import type { Row } from '../model/index.js';
import {
  boolean,
  type Infer,
  integer,
  nullable,
  optional,
  strictObject,
  string,
  timestamp,
  url,
  uuid,
} from '../schema/schema.js';
import { graphqlId, type Links } from './links.js';

export const ProviderSettings = strictObject({
  trigger_mode: optional(string()),
  repository: optional(string()),
  build_pull_requests: optional(boolean()),
  pull_request_branch_filter_enabled: optional(boolean()),
  skip_pull_request_builds_for_existing_commits: optional(boolean()),
  build_pull_request_forks: optional(boolean()),
  prefix_pull_request_fork_branch_names: optional(boolean()),
  build_tags: optional(boolean()),
  publish_commit_status: optional(boolean()),
  publish_commit_status_per_step: optional(boolean()),
  publish_blocked_as_pending: optional(boolean()),
});

const Counters = {
  scheduled_builds_count: integer({ minimum: 0 }),
  running_builds_count: integer({ minimum: 0 }),
  scheduled_jobs_count: integer({ minimum: 0 }),
  running_jobs_count: integer({ minimum: 0 }),
  waiting_jobs_count: integer({ minimum: 0 }),
};

/** The pipeline of a build (spec 2.5). */
export const Pipeline = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    url: url(),
    web_url: url(),
    name: string(),
    slug: string(),
    repository: string(),
    branch_configuration: nullable(string()),
    default_branch: string(),
    provider: strictObject({
      id: string(),
      webhook_url: string({ description: 'Empty unless the caller may edit the pipeline (spec 2.5)' }),
      settings: optional(ProviderSettings),
    }),
    skip_queued_branch_builds: boolean(),
    skip_queued_branch_builds_filter: nullable(string()),
    cancel_running_branch_builds: boolean(),
    cancel_running_branch_builds_filter: nullable(string()),
    builds_url: url(),
    badge_url: url(),
    created_at: timestamp(),
    ...Counters,
  },
  { title: 'Pipeline', description: 'A pipeline, as it stands in a build' },
);
export type Pipeline = Infer<typeof Pipeline>;

export type PipelineCounters = { readonly [K in keyof typeof Counters]: number };

/** The data that rendering a pipeline needs in addition to its row. */
export interface PipelineView {
  readonly organization: string;
  readonly counters: PipelineCounters;
  /** Whether the caller may edit the pipeline, and therefore see its webhook URL (spec 5.6). */
  readonly editable: boolean;
}

export function renderPipeline(pipeline: Row<'pipeline'>, view: PipelineView, links: Links): Pipeline {
  const { id, webhook_url, settings } = pipeline.provider;
  return {
    id: pipeline.id,
    graphql_id: graphqlId('Pipeline', pipeline.id),
    ...links.pipeline(view.organization, pipeline.slug),
    name: pipeline.name,
    slug: pipeline.slug,
    repository: pipeline.repository,
    branch_configuration: pipeline.branch_configuration,
    default_branch: pipeline.default_branch,
    provider: { id, webhook_url: view.editable ? webhook_url : '', ...(settings ? { settings } : {}) },
    skip_queued_branch_builds: pipeline.skip_queued_branch_builds,
    skip_queued_branch_builds_filter: pipeline.skip_queued_branch_builds_filter,
    cancel_running_branch_builds: pipeline.cancel_running_branch_builds,
    cancel_running_branch_builds_filter: pipeline.cancel_running_branch_builds_filter,
    badge_url: links.badge(pipeline.badge_token),
    created_at: pipeline.created_at,
    ...view.counters,
  };
}
