import {
  exact,
  flag,
  type Infer,
  integer,
  nullable,
  optional,
  text,
  timestamp,
  url,
  uuid,
} from '../contract/schema.js';
import type { Row } from '../model/index.js';
import { graphqlId, type Links } from './links.js';

export const ProviderSettings = exact({
  trigger_mode: optional(text()),
  repository: optional(text()),
  build_pull_requests: optional(flag()),
  pull_request_branch_filter_enabled: optional(flag()),
  skip_pull_request_builds_for_existing_commits: optional(flag()),
  build_pull_request_forks: optional(flag()),
  prefix_pull_request_fork_branch_names: optional(flag()),
  build_tags: optional(flag()),
  publish_commit_status: optional(flag()),
  publish_commit_status_per_step: optional(flag()),
  publish_blocked_as_pending: optional(flag()),
});

const Counters = {
  scheduled_builds_count: integer({ minimum: 0 }),
  running_builds_count: integer({ minimum: 0 }),
  scheduled_jobs_count: integer({ minimum: 0 }),
  running_jobs_count: integer({ minimum: 0 }),
  waiting_jobs_count: integer({ minimum: 0 }),
};

/** A pipeline as it stands in a build (spec 2.5). */
export const Pipeline = exact(
  {
    id: uuid(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    name: text(),
    slug: text(),
    repository: text(),
    branch_configuration: nullable(text()),
    default_branch: text(),
    provider: exact({
      id: text(),
      webhook_url: text({ description: 'Empty unless the caller may edit the pipeline (spec 2.5)' }),
      settings: optional(ProviderSettings),
    }),
    skip_queued_branch_builds: flag(),
    skip_queued_branch_builds_filter: nullable(text()),
    cancel_running_branch_builds: flag(),
    cancel_running_branch_builds_filter: nullable(text()),
    builds_url: url(),
    badge_url: url(),
    created_at: timestamp(),
    ...Counters,
  },
  { title: 'Pipeline', description: 'A pipeline, as it stands in a build' },
);
export type Pipeline = Infer<typeof Pipeline>;

export type PipelineCounters = { readonly [K in keyof typeof Counters]: number };

/** What a pipeline is shown with besides its own row. */
export interface PipelineView {
  readonly organization: string;
  readonly counters: PipelineCounters;
  /** Whether the caller may edit it, and so see its webhook address (spec 5.6). */
  readonly editable: boolean;
}

export function presentPipeline(pipeline: Row<'pipeline'>, view: PipelineView, links: Links): Pipeline {
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
