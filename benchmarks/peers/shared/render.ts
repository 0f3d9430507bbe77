import { baseUrl } from '../../data/organization.js';

// Renders rows as the objects of spec 2.1 to 2.5, as an application without Millrace would. It shares no code with the core.

type DatabaseRow = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;

const graphqlId = (type: string, id: unknown): string => Buffer.from(`${type}---${id}`).toString('base64');
const apiUrl = (organization: string, path: string): string => `${baseUrl}/v2/organizations/${organization}${path}`;
const parseJson = (cell: unknown): unknown => (typeof cell === 'string' ? JSON.parse(cell) : cell);
/** SQLite stores times in the format of the response. */
const toTimestamp = (cell: unknown): unknown =>
  typeof cell === 'string' && !cell.endsWith('Z') ? new Date(cell).toISOString() : cell;
const toBoolean = (cell: unknown): boolean => cell === true || cell === 1;
const toNumber = (cell: unknown): number | null => (cell === null || cell === undefined ? null : Number(cell));

export const renderUser = (user: DatabaseRow | null | undefined): Json | null =>
  user
    ? {
        id: user.id,
        graphql_id: graphqlId('User', user.id),
        name: user.name,
        email: user.email,
        avatar_url: user.avatar_url,
        created_at: toTimestamp(user.created_at),
      }
    : null;

export function renderPipeline(pipeline: DatabaseRow, organization: string, counters: DatabaseRow): Json {
  const path = `/pipelines/${pipeline.slug}`;
  return {
    id: pipeline.id,
    graphql_id: graphqlId('Pipeline', pipeline.id),
    url: apiUrl(organization, path),
    web_url: `${baseUrl}/${organization}/${pipeline.slug}`,
    builds_url: apiUrl(organization, `${path}/builds`),
    name: pipeline.name,
    slug: pipeline.slug,
    repository: pipeline.repository,
    branch_configuration: pipeline.branch_configuration,
    default_branch: pipeline.default_branch,
    provider: parseJson(pipeline.provider),
    skip_queued_branch_builds: toBoolean(pipeline.skip_queued_branch_builds),
    skip_queued_branch_builds_filter: pipeline.skip_queued_branch_builds_filter,
    cancel_running_branch_builds: toBoolean(pipeline.cancel_running_branch_builds),
    cancel_running_branch_builds_filter: pipeline.cancel_running_branch_builds_filter,
    badge_url: `${baseUrl}/badges/${pipeline.badge_token}.svg`,
    created_at: toTimestamp(pipeline.created_at),
    ...counters,
  };
}

export interface BuildRelations {
  readonly organization: string;
  readonly slug: string;
  readonly jobs: readonly DatabaseRow[];
  readonly creator: DatabaseRow | null | undefined;
  readonly pipeline: unknown;
}

export function renderBuild(build: DatabaseRow, { organization, slug, jobs, creator, pipeline }: BuildRelations): Json {
  const buildUrl = (number: unknown) => apiUrl(organization, `/pipelines/${slug}/builds/${number}`);
  const rebuiltFrom = parseJson(build.rebuilt_from) as Json | null;
  return {
    id: build.id,
    graphql_id: graphqlId('Build', build.id),
    url: buildUrl(build.number),
    web_url: `${baseUrl}/${organization}/${slug}/builds/${build.number}`,
    number: Number(build.number),
    state: build.state,
    cancel_reason: build.cancel_reason,
    blocked: false,
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    env: parseJson(build.env),
    source: build.source,
    creator: renderUser(creator),
    author: parseJson(build.author),
    jobs: jobs.map((job) => renderJob(job, organization)),
    created_at: toTimestamp(build.created_at),
    scheduled_at: toTimestamp(build.scheduled_at),
    started_at: toTimestamp(build.started_at),
    finished_at: toTimestamp(build.finished_at),
    meta_data: parseJson(build.meta_data),
    pull_request: parseJson(build.pull_request),
    rebuilt_from: rebuiltFrom && { ...rebuiltFrom, url: buildUrl(rebuiltFrom.number) },
    pipeline,
  };
}

export function renderJob(job: DatabaseRow, organization: string): Json {
  const path = `/pipelines/${job.pipeline_slug}/builds/${job.build_number}`;
  const address = apiUrl(organization, `${path}/jobs/${job.id}`);
  const cluster = job.cluster_id ? apiUrl(organization, `/clusters/${job.cluster_id}`) : null;
  const agent = parseJson(job.agent) as Json | null;
  return {
    id: job.id,
    graphql_id: graphqlId('Job', job.id),
    type: job.type,
    name: job.name,
    step_key: job.step_key,
    step: { id: job.step_id, signature: parseJson(job.signature) },
    agent_query_rules: parseJson(job.agent_query_rules),
    state: job.state,
    build_url: apiUrl(organization, path),
    web_url: `${baseUrl}/${organization}/${job.pipeline_slug}/builds/${job.build_number}#${job.id}`,
    log_url: `${address}/log`,
    raw_log_url: `${address}/log.txt`,
    artifacts_url: `${address}/artifacts`,
    script_path: job.script_path,
    command: job.command,
    soft_failed: toBoolean(job.soft_failed),
    exit_status: toNumber(job.exit_status),
    artifact_paths: job.artifact_paths,
    agent: agent && {
      id: agent.id,
      graphql_id: graphqlId('Agent', agent.id),
      url: apiUrl(organization, `/agents/${agent.id}`),
      web_url: `${baseUrl}/organizations/${organization}/agents/${agent.id}`,
      name: agent.name,
      connection_state: agent.connection_state,
      hostname: agent.hostname,
      ip_address: agent.ip_address,
      user_agent: agent.user_agent,
      creator: renderUser(agent.creator as Json | null),
      created_at: agent.created_at,
    },
    created_at: toTimestamp(job.created_at),
    scheduled_at: toTimestamp(job.scheduled_at),
    runnable_at: toTimestamp(job.runnable_at),
    started_at: toTimestamp(job.started_at),
    finished_at: toTimestamp(job.finished_at),
    retried: toBoolean(job.retried),
    retried_in_job_id: job.retried_in_job_id,
    retries_count: toNumber(job.retries_count),
    retry_source: parseJson(job.retry_source),
    retry_type: job.retry_type,
    parallel_group_index: toNumber(job.parallel_group_index),
    parallel_group_total: toNumber(job.parallel_group_total),
    matrix: parseJson(job.matrix),
    cluster_id: job.cluster_id,
    cluster_url: cluster,
    cluster_queue_id: job.cluster_queue_id,
    cluster_queue_url: cluster && job.cluster_queue_id ? `${cluster}/queues/${job.cluster_queue_id}` : null,
  };
}

export function renderAgent(
  agent: DatabaseRow,
  creator: DatabaseRow | null | undefined,
  job: DatabaseRow | null | undefined,
  organization: string,
): Json {
  return {
    id: agent.id,
    graphql_id: graphqlId('Agent', agent.id),
    url: apiUrl(organization, `/agents/${agent.id}`),
    web_url: `${baseUrl}/organizations/${organization}/agents/${agent.id}`,
    name: agent.name,
    connection_state: agent.connection_state,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    version: agent.agent_version,
    creator: renderUser(creator),
    created_at: toTimestamp(agent.created_at),
    job: job ? renderJob(job, organization) : null,
    last_job_finished_at: toTimestamp(agent.last_job_finished_at),
    priority: toNumber(agent.priority),
    meta_data: parseJson(agent.meta_data),
  };
}
