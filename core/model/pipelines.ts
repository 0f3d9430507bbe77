import type { BuildState } from '../machines/build.js';
import type { JobState } from '../machines/job.js';
import { flag, id, integer, json, nullable, text, time } from './column.js';
import { entity } from './entity.js';

/** Which failures of a job are soft: all of them or none, or those with these exit statuses (decisions 6). */
export type SoftFail = boolean | readonly number[];

/** A failed job is retried automatically if its exit status matches, at most `limit` times. */
export interface AutomaticRetry {
  readonly exit_status: number | '*';
  readonly limit: number;
}

export interface Signature {
  readonly value: string;
  readonly algorithm: string;
  readonly signed_fields: readonly string[];
}

export type JobType = 'script' | 'waiter' | 'manual' | 'trigger';

/** A step of a pipeline. The jobs of a build are created from the steps, in their order. */
export interface Step {
  readonly id: string;
  readonly type: JobType;
  readonly key: string | null;
  readonly name: string | null;
  readonly command: string | null;
  readonly script_path: string | null;
  readonly artifact_paths: string | null;
  /** Rules of the form `key=value` that an agent's meta-data must contain. `queue=<key>` selects the cluster queue. */
  readonly agent_query_rules: readonly string[];
  readonly parallelism: number | null;
  readonly matrix: Readonly<Record<string, readonly string[]>> | null;
  readonly soft_fail: SoftFail;
  readonly automatic_retry: readonly AutomaticRetry[];
  readonly timeout_in_minutes: number | null;
  /** For wait and block steps: later steps run even if an earlier one failed. */
  readonly continue_on_failure: boolean;
  /** A branch filter of the step, in the pattern language of `branch_configuration`. */
  readonly branches: string | null;
  readonly signature: Signature | null;
}

export interface ProviderSettings {
  readonly trigger_mode?: string;
  readonly repository?: string;
  readonly build_pull_requests?: boolean;
  readonly pull_request_branch_filter_enabled?: boolean;
  readonly skip_pull_request_builds_for_existing_commits?: boolean;
  readonly build_pull_request_forks?: boolean;
  readonly prefix_pull_request_fork_branch_names?: boolean;
  readonly build_tags?: boolean;
  readonly publish_commit_status?: boolean;
  readonly publish_commit_status_per_step?: boolean;
  readonly publish_blocked_as_pending?: boolean;
}

export interface Provider {
  readonly id: string;
  readonly webhook_url: string;
  readonly settings: ProviderSettings | null;
}

export const pipeline = entity(
  {
    organization_id: id(),
    cluster_id: nullable(id()),
    /** Never changes, because the URLs of builds and jobs contain it. */
    slug: text(),
    name: text(),
    repository: text(),
    branch_configuration: nullable(text()),
    default_branch: text(),
    provider: json<Provider>(),
    skip_queued_branch_builds: flag(),
    skip_queued_branch_builds_filter: nullable(text()),
    cancel_running_branch_builds: flag(),
    cancel_running_branch_builds_filter: nullable(text()),
    badge_token: text(),
    steps: json<readonly Step[]>(),
    created_at: time(),
  },
  { slug: ['organization_id', 'slug'] },
);

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface PullRequest {
  readonly id: string;
  readonly base: string | null;
  readonly repository: string | null;
}

export const build = entity(
  {
    organization_id: id(),
    pipeline_id: id(),
    number: integer(),
    state: text<BuildState>(),
    cancel_reason: nullable(text()),
    message: nullable(text()),
    commit: text(),
    branch: text(),
    env: json<Readonly<Record<string, string>>>(),
    source: text(),
    creator_id: nullable(id()),
    author: nullable(json<Author>()),
    meta_data: json<Readonly<Record<string, string>>>(),
    pull_request: nullable(json<PullRequest>()),
    rebuilt_from: nullable(json<{ readonly id: string; readonly number: number }>()),
    clean_checkout: flag(),
    created_at: time(),
    scheduled_at: time(),
    started_at: nullable(time()),
    finished_at: nullable(time()),
  },
  { number: ['pipeline_id', 'number'] },
);

/** The agent as it was when it accepted the job, so that later changes do not alter the job (decisions 4). */
export interface AgentSnapshot {
  readonly id: string;
  readonly name: string;
  readonly hostname: string;
  readonly ip_address: string;
  readonly user_agent: string;
  readonly connection_state: string;
  readonly creator: Creator | null;
  readonly created_at: string;
}

/** A user as stored in snapshots: the fields of spec 2.1. */
export interface Creator {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly avatar_url: string;
  readonly created_at: string;
}

export type RetryType = 'manual' | 'automatic';

/** A job is part of its build: every change of a job also increments the build's version. */
export const job = entity({
  organization_id: id(),
  pipeline_id: id(),
  build_id: id(),
  /** For the URL of the job's build, together with the pipeline's slug. Neither ever changes. */
  build_number: integer(),
  pipeline_slug: text(),
  /** Position among the jobs of the build. A retry has the position of the job that it repeats. */
  position: integer(),
  type: text<JobType>(),
  name: nullable(text()),
  step_key: nullable(text()),
  step_id: id(),
  signature: nullable(json<Signature>()),
  agent_query_rules: json<readonly string[]>(),
  state: text<JobState>(),
  script_path: nullable(text()),
  command: nullable(text()),
  artifact_paths: nullable(text()),
  soft_fail: json<SoftFail>(),
  soft_failed: flag(),
  automatic_retry: json<readonly AutomaticRetry[]>(),
  continue_on_failure: flag(),
  timeout_in_minutes: nullable(integer()),
  exit_status: nullable(integer()),
  agent_id: nullable(id()),
  agent: nullable(json<AgentSnapshot>()),
  cluster_id: nullable(id()),
  cluster_queue_id: nullable(id()),
  parallel_group_index: nullable(integer()),
  parallel_group_total: nullable(integer()),
  matrix: nullable(json<Readonly<Record<string, string>>>()),
  retried: flag(),
  retried_in_job_id: nullable(id()),
  retries_count: nullable(integer()),
  retry_type: nullable(text<RetryType>()),
  retry_source: nullable(json<{ readonly job_id: string; readonly retry_type: RetryType }>()),
  created_at: time(),
  scheduled_at: nullable(time()),
  runnable_at: nullable(time()),
  started_at: nullable(time()),
  finished_at: nullable(time()),
});
