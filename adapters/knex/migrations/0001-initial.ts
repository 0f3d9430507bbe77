import type { Migration } from './migration.js';
import { index, table, unique } from './step-builders.js';

export const initial: Migration = {
  version: 1,
  name: 'initial',
  steps: [
    table(
      'events',
      `
      sequence counter, type text, organization_id id, at time, data json`,
      ['sequence'],
    ),
    table(
      'sequences',
      `
      name text, value integer`,
      ['name'],
    ),
    table(
      'organizations',
      `
      id id, version integer, slug text, name text, pipelines_security flag, created_at time`,
    ),
    table(
      'users',
      `
      id id, version integer, name text, email text, avatar_url text, created_at time`,
    ),
    table(
      'members',
      `
      id id, version integer, organization_id id, user_id id, role text, permissions json, created_at time`,
    ),
    table(
      'access_tokens',
      `
      id id, version integer, user_id id, digest text, description text, scopes json, organization_ids json?,
      created_at time, expires_at time?, revoked_at time?`,
    ),
    table(
      'clusters',
      `
      id id, version integer, organization_id id, name text, description text?, emoji text?, color text?,
      default_queue_id id?, created_at time, created_by_id id?`,
    ),
    table(
      'queues',
      `
      id id, version integer, organization_id id, cluster_id id, key text, description text?, dispatch text,
      dispatch_paused_at time?, dispatch_paused_by_id id?, dispatch_paused_note text?, created_at time,
      created_by_id id?`,
    ),
    table(
      'agent_tokens',
      `
      id id, version integer, organization_id id, cluster_id id, description text, allowed_ip_addresses text?,
      digest text, created_at time, created_by_id id?`,
    ),
    table(
      'agents',
      `
      id id, version integer, organization_id id, cluster_id id, queue_id id?, agent_token_id id, name text,
      hostname text, ip_address text, user_agent text, agent_version text, connection_state text, creator_id id?,
      priority integer?, meta_data json, job_id id?, last_job_finished_at time?, last_seen_at time,
      created_at time`,
    ),
    table(
      'pipelines',
      `
      id id, version integer, organization_id id, cluster_id id?, slug text, name text, repository text,
      branch_configuration text?, default_branch text, provider json, skip_queued_branch_builds flag,
      skip_queued_branch_builds_filter text?, cancel_running_branch_builds flag,
      cancel_running_branch_builds_filter text?, badge_token text, steps json, created_at time`,
    ),
    table(
      'builds',
      `
      id id, version integer, organization_id id, pipeline_id id, number integer, state text,
      cancel_reason text?, message text?, commit text, branch text, env json, source text, creator_id id?,
      author json?, meta_data json, pull_request json?, rebuilt_from json?, clean_checkout flag, created_at time,
      scheduled_at time, started_at time?, finished_at time?`,
    ),
    table(
      'builds_meta_data',
      `
      record_id id, digest text, created_at time, organization_id id, pipeline_id id`,
      ['record_id', 'digest'],
    ),
    table(
      'jobs',
      `
      id id, version integer, organization_id id, pipeline_id id, build_id id, build_number integer,
      pipeline_slug text, position integer, type text, name text?, step_key text?, step_id id, signature json?,
      agent_query_rules json, state text, script_path text?, command text?, artifact_paths text?, soft_fail json,
      soft_failed flag, automatic_retry json, continue_on_failure flag, timeout_in_minutes integer?,
      exit_status integer?, agent_id id?, agent json?, cluster_id id?, cluster_queue_id id?,
      parallel_group_index integer?, parallel_group_total integer?, matrix json?, retried flag,
      retried_in_job_id id?, retries_count integer?, retry_type text?, retry_source json?, created_at time,
      scheduled_at time?, runnable_at time?, started_at time?, finished_at time?`,
    ),
    table(
      'teams',
      `
      id id, version integer, organization_id id, slug text, name text, description text, privacy text,
      audience text, is_default_team flag, default_member_role text, members_can_create_pipelines flag,
      created_at time, created_by_id id?`,
    ),
    table(
      'team_members',
      `
      id id, version integer, organization_id id, team_id id, user_id id, role text, created_at time`,
    ),
    table(
      'team_pipelines',
      `
      id id, version integer, organization_id id, team_id id, pipeline_id id, access_level text, created_at time`,
    ),
    table(
      'suites',
      `
      id id, version integer, organization_id id, slug text, name text, default_branch text?, collector text?,
      created_at time`,
    ),
    table(
      'team_suites',
      `
      id id, version integer, organization_id id, team_id id, suite_id id, access_level json, created_at time`,
    ),
    table(
      'tests',
      `
      id id, version integer, organization_id id, suite_id id, identity text, scope text, name text,
      location text, file_name text, flaky flag, instances integer, latest_occurrence_at time?,
      most_recent_instance_at time, last_resolved_at time?, created_at time`,
    ),
    table(
      'test_commits',
      `
      id id, version integer, organization_id id, suite_id id, test_id id, commit text, passed_at time?,
      failed_at time?, flaky_at time?, branches json`,
    ),
    table(
      'test_branches',
      `
      id id, version integer, organization_id id, suite_id id, test_id id, branch text, created_at time`,
    ),
    unique('access_tokens_digest', 'access_tokens', 'digest'),
    index('agent_tokens_cluster_id_created_at_id', 'agent_tokens', 'cluster_id, created_at, id'),
    unique('agent_tokens_digest', 'agent_tokens', 'digest'),
    index('agents_cluster_id_connection_state_id', 'agents', 'cluster_id, connection_state, id'),
    index('agents_connection_state_last_seen_at_id', 'agents', 'connection_state, last_seen_at, id'),
    index(
      'agents_organization_id_connection_state_created_at_id',
      'agents',
      'organization_id, connection_state, created_at, id',
    ),
    index('agents_organization_id_created_at_id', 'agents', 'organization_id, created_at, id'),
    index('agents_queue_id_connection_state_id', 'agents', 'queue_id, connection_state, id'),
    index(
      'builds_meta_data_digest_organization_id_created_at_record_id',
      'builds_meta_data',
      'digest, organization_id, created_at, record_id',
    ),
    index(
      'builds_meta_data_digest_pipeline_id_created_at_record_id',
      'builds_meta_data',
      'digest, pipeline_id, created_at, record_id',
    ),
    index('builds_organization_id_branch_created_at_id', 'builds', 'organization_id, branch, created_at, id'),
    index('builds_organization_id_commit_created_at_id', 'builds', 'organization_id, commit, created_at, id'),
    index('builds_organization_id_created_at_id', 'builds', 'organization_id, created_at, id'),
    index('builds_organization_id_creator_id_created_at_id', 'builds', 'organization_id, creator_id, created_at, id'),
    index('builds_organization_id_state_created_at_id', 'builds', 'organization_id, state, created_at, id'),
    index('builds_pipeline_id_branch_created_at_id', 'builds', 'pipeline_id, branch, created_at, id'),
    index('builds_pipeline_id_commit_created_at_id', 'builds', 'pipeline_id, commit, created_at, id'),
    index('builds_pipeline_id_created_at_id', 'builds', 'pipeline_id, created_at, id'),
    index('builds_pipeline_id_creator_id_created_at_id', 'builds', 'pipeline_id, creator_id, created_at, id'),
    unique('builds_pipeline_id_number', 'builds', 'pipeline_id, number'),
    index('builds_pipeline_id_state_created_at_id', 'builds', 'pipeline_id, state, created_at, id'),
    index('clusters_organization_id_created_at_id', 'clusters', 'organization_id, created_at, id'),
    unique('clusters_organization_id_name', 'clusters', 'organization_id, name'),
    index('jobs_build_id_position_created_at_id', 'jobs', 'build_id, position, created_at, id'),
    index('jobs_cluster_queue_id_state_runnable_at_id', 'jobs', 'cluster_queue_id, state, runnable_at, id'),
    index('jobs_pipeline_id_state_id', 'jobs', 'pipeline_id, state, id'),
    index('jobs_state_started_at_id', 'jobs', 'state, started_at, id'),
    unique('members_organization_id_user_id', 'members', 'organization_id, user_id'),
    index('members_user_id_id', 'members', 'user_id, id'),
    unique('organizations_slug', 'organizations', 'slug'),
    index('pipelines_cluster_id_id', 'pipelines', 'cluster_id, id'),
    unique('pipelines_organization_id_slug', 'pipelines', 'organization_id, slug'),
    index('queues_cluster_id_created_at_id', 'queues', 'cluster_id, created_at, id'),
    unique('queues_cluster_id_key', 'queues', 'cluster_id, key'),
    unique('suites_organization_id_slug', 'suites', 'organization_id, slug'),
    index('team_members_organization_id_user_id_id', 'team_members', 'organization_id, user_id, id'),
    index('team_members_team_id_id', 'team_members', 'team_id, id'),
    unique('team_members_team_id_user_id', 'team_members', 'team_id, user_id'),
    index('team_pipelines_team_id_created_at_id', 'team_pipelines', 'team_id, created_at, id'),
    unique('team_pipelines_team_id_pipeline_id', 'team_pipelines', 'team_id, pipeline_id'),
    index('team_suites_team_id_created_at_id', 'team_suites', 'team_id, created_at, id'),
    unique('team_suites_team_id_suite_id', 'team_suites', 'team_id, suite_id'),
    index('teams_organization_id_created_at_id', 'teams', 'organization_id, created_at, id'),
    unique('teams_organization_id_slug', 'teams', 'organization_id, slug'),
    index('test_branches_suite_id_branch_id', 'test_branches', 'suite_id, branch, id'),
    unique('test_branches_test_id_branch', 'test_branches', 'test_id, branch'),
    index('test_branches_test_id_branch_id', 'test_branches', 'test_id, branch, id'),
    unique('test_commits_test_id_commit', 'test_commits', 'test_id, commit'),
    index('test_commits_test_id_commit_id', 'test_commits', 'test_id, commit, id'),
    index('test_commits_test_id_flaky_at_id', 'test_commits', 'test_id, flaky_at, id'),
    index('tests_suite_id_flaky_latest_occurrence_at_id', 'tests', 'suite_id, flaky, latest_occurrence_at, id'),
    unique('tests_suite_id_identity', 'tests', 'suite_id, identity'),
    index('tests_suite_id_identity_id', 'tests', 'suite_id, identity, id'),
    unique('users_email', 'users', 'email'),
  ],
};
