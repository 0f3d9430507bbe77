import { baseUrl } from '../../data/organization.js';

// What an application of one's own would have: rows to the objects of spec 2.1 to 2.5. It shares nothing with the core.

type Cells = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;

const graphqlId = (type: string, id: unknown): string => Buffer.from(`${type}---${id}`).toString('base64');
const api = (organization: string, path: string): string => `${baseUrl}/v2/organizations/${organization}${path}`;
const json = (cell: unknown): unknown => (typeof cell === 'string' ? JSON.parse(cell) : cell);
/** SQLite keeps times as they go on the wire. */
const time = (cell: unknown): unknown =>
  typeof cell === 'string' && !cell.endsWith('Z') ? new Date(cell).toISOString() : cell;
const flag = (cell: unknown): boolean => cell === true || cell === 1;
const whole = (cell: unknown): number | null => (cell === null || cell === undefined ? null : Number(cell));

export const presentUser = (user: Cells | null | undefined): Json | null =>
  user
    ? {
        id: user.id,
        graphql_id: graphqlId('User', user.id),
        name: user.name,
        email: user.email,
        avatar_url: user.avatar_url,
        created_at: time(user.created_at),
      }
    : null;

export function presentPipeline(pipeline: Cells, organization: string, counters: Cells): Json {
  const path = `/pipelines/${pipeline.slug}`;
  return {
    id: pipeline.id,
    graphql_id: graphqlId('Pipeline', pipeline.id),
    url: api(organization, path),
    web_url: `${baseUrl}/${organization}/${pipeline.slug}`,
    builds_url: api(organization, `${path}/builds`),
    name: pipeline.name,
    slug: pipeline.slug,
    repository: pipeline.repository,
    branch_configuration: pipeline.branch_configuration,
    default_branch: pipeline.default_branch,
    provider: json(pipeline.provider),
    skip_queued_branch_builds: flag(pipeline.skip_queued_branch_builds),
    skip_queued_branch_builds_filter: pipeline.skip_queued_branch_builds_filter,
    cancel_running_branch_builds: flag(pipeline.cancel_running_branch_builds),
    cancel_running_branch_builds_filter: pipeline.cancel_running_branch_builds_filter,
    badge_url: `${baseUrl}/badges/${pipeline.badge_token}.svg`,
    created_at: time(pipeline.created_at),
    ...counters,
  };
}

export interface BuildView {
  readonly organization: string;
  readonly slug: string;
  readonly jobs: readonly Cells[];
  readonly creator: Cells | null | undefined;
  readonly pipeline: unknown;
}

export function presentBuild(build: Cells, { organization, slug, jobs, creator, pipeline }: BuildView): Json {
  const of = (number: unknown) => api(organization, `/pipelines/${slug}/builds/${number}`);
  const from = json(build.rebuilt_from) as Json | null;
  return {
    id: build.id,
    graphql_id: graphqlId('Build', build.id),
    url: of(build.number),
    web_url: `${baseUrl}/${organization}/${slug}/builds/${build.number}`,
    number: Number(build.number),
    state: build.state,
    cancel_reason: build.cancel_reason,
    blocked: false,
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    env: json(build.env),
    source: build.source,
    creator: presentUser(creator),
    author: json(build.author),
    jobs: jobs.map((job) => presentJob(job, organization)),
    created_at: time(build.created_at),
    scheduled_at: time(build.scheduled_at),
    started_at: time(build.started_at),
    finished_at: time(build.finished_at),
    meta_data: json(build.meta_data),
    pull_request: json(build.pull_request),
    rebuilt_from: from && { ...from, url: of(from.number) },
    pipeline,
  };
}

export function presentJob(job: Cells, organization: string): Json {
  const path = `/pipelines/${job.pipeline_slug}/builds/${job.build_number}`;
  const address = api(organization, `${path}/jobs/${job.id}`);
  const cluster = job.cluster_id ? api(organization, `/clusters/${job.cluster_id}`) : null;
  const agent = json(job.agent) as Json | null;
  return {
    id: job.id,
    graphql_id: graphqlId('Job', job.id),
    type: job.type,
    name: job.name,
    step_key: job.step_key,
    step: { id: job.step_id, signature: json(job.signature) },
    agent_query_rules: json(job.agent_query_rules),
    state: job.state,
    build_url: api(organization, path),
    web_url: `${baseUrl}/${organization}/${job.pipeline_slug}/builds/${job.build_number}#${job.id}`,
    log_url: `${address}/log`,
    raw_log_url: `${address}/log.txt`,
    artifacts_url: `${address}/artifacts`,
    script_path: job.script_path,
    command: job.command,
    soft_failed: flag(job.soft_failed),
    exit_status: whole(job.exit_status),
    artifact_paths: job.artifact_paths,
    agent: agent && {
      id: agent.id,
      graphql_id: graphqlId('Agent', agent.id),
      url: api(organization, `/agents/${agent.id}`),
      web_url: `${baseUrl}/organizations/${organization}/agents/${agent.id}`,
      name: agent.name,
      connection_state: agent.connection_state,
      hostname: agent.hostname,
      ip_address: agent.ip_address,
      user_agent: agent.user_agent,
      creator: presentUser(agent.creator as Json | null),
      created_at: agent.created_at,
    },
    created_at: time(job.created_at),
    scheduled_at: time(job.scheduled_at),
    runnable_at: time(job.runnable_at),
    started_at: time(job.started_at),
    finished_at: time(job.finished_at),
    retried: flag(job.retried),
    retried_in_job_id: job.retried_in_job_id,
    retries_count: whole(job.retries_count),
    retry_source: json(job.retry_source),
    retry_type: job.retry_type,
    parallel_group_index: whole(job.parallel_group_index),
    parallel_group_total: whole(job.parallel_group_total),
    matrix: json(job.matrix),
    cluster_id: job.cluster_id,
    cluster_url: cluster,
    cluster_queue_id: job.cluster_queue_id,
    cluster_queue_url: cluster && job.cluster_queue_id ? `${cluster}/queues/${job.cluster_queue_id}` : null,
  };
}

export function presentAgent(
  agent: Cells,
  creator: Cells | null | undefined,
  job: Cells | null | undefined,
  organization: string,
): Json {
  return {
    id: agent.id,
    graphql_id: graphqlId('Agent', agent.id),
    url: api(organization, `/agents/${agent.id}`),
    web_url: `${baseUrl}/organizations/${organization}/agents/${agent.id}`,
    name: agent.name,
    connection_state: agent.connection_state,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    version: agent.agent_version,
    creator: presentUser(creator),
    created_at: time(agent.created_at),
    job: job ? presentJob(job, organization) : null,
    last_job_finished_at: time(agent.last_job_finished_at),
    priority: whole(agent.priority),
    meta_data: json(agent.meta_data),
  };
}
