import { type JobState, jobStates } from '../machines/index.js';
import type { AgentSnapshot, Row } from '../model/index.js';
import {
  array,
  boolean,
  enumeration,
  type Infer,
  integer,
  nullable,
  record,
  strictObject,
  string,
  timestamp,
  url,
  uuid,
} from '../schema/schema.js';
import { graphqlId, type Links } from './links.js';
import { renderUserOrNull, User } from './user.js';

/** The agent as it was when it accepted the job (spec 2.2, decisions 4). */
export const JobAgent = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    url: url(),
    web_url: url(),
    name: string(),
    connection_state: string(),
    hostname: string(),
    ip_address: string(),
    user_agent: string(),
    creator: nullable(User),
    created_at: timestamp(),
  },
  { title: 'JobAgent', description: 'The agent that a job was handed to, as it was then' },
);

const Step = strictObject({
  id: uuid(),
  signature: nullable(strictObject({ value: string(), algorithm: string(), signed_fields: array(string()) })),
});

/** A job of a build (spec 2.3). */
export const Job = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    type: enumeration(['script', 'waiter', 'manual', 'trigger']),
    name: nullable(string()),
    step_key: nullable(string()),
    step: Step,
    agent_query_rules: array(string()),
    state: enumeration(jobStates as readonly JobState[]),
    build_url: url(),
    web_url: url(),
    log_url: url(),
    raw_log_url: url(),
    artifacts_url: url(),
    script_path: nullable(string()),
    command: nullable(string()),
    soft_failed: boolean(),
    exit_status: nullable(integer()),
    artifact_paths: nullable(string()),
    agent: nullable(JobAgent),
    created_at: timestamp(),
    scheduled_at: nullable(timestamp()),
    runnable_at: nullable(timestamp()),
    started_at: nullable(timestamp()),
    finished_at: nullable(timestamp()),
    retried: boolean(),
    retried_in_job_id: nullable(uuid()),
    retries_count: nullable(integer()),
    retry_source: nullable(strictObject({ job_id: uuid(), retry_type: enumeration(['manual', 'automatic']) })),
    retry_type: nullable(enumeration(['manual', 'automatic'])),
    parallel_group_index: nullable(integer()),
    parallel_group_total: nullable(integer()),
    matrix: nullable(record(string())),
    cluster_id: nullable(uuid()),
    cluster_url: nullable(url()),
    cluster_queue_id: nullable(uuid()),
    cluster_queue_url: nullable(url()),
  },
  { title: 'Job', description: 'A job of a build' },
);
export type Job = Infer<typeof Job>;

export function renderJob(job: Row<'job'>, organization: string, links: Links): Job {
  const build = links.build(organization, job.pipeline_slug, job.build_number);
  const address = `${build.url}/jobs/${job.id}`;
  const queue =
    job.cluster_id && job.cluster_queue_id ? links.queue(organization, job.cluster_id, job.cluster_queue_id) : null;
  return {
    id: job.id,
    graphql_id: graphqlId('Job', job.id),
    type: job.type,
    name: job.name,
    step_key: job.step_key,
    step: { id: job.step_id, signature: job.signature },
    agent_query_rules: job.agent_query_rules,
    state: job.state,
    build_url: build.url,
    web_url: `${build.web_url}#${job.id}`,
    log_url: `${address}/log`,
    raw_log_url: `${address}/log.txt`,
    artifacts_url: `${address}/artifacts`,
    script_path: job.script_path,
    command: job.command,
    soft_failed: job.soft_failed,
    exit_status: job.exit_status,
    artifact_paths: job.artifact_paths,
    agent: job.agent ? renderAgentSnapshot(job.agent, organization, links) : null,
    created_at: job.created_at,
    scheduled_at: job.scheduled_at,
    runnable_at: job.runnable_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    retried: job.retried,
    retried_in_job_id: job.retried_in_job_id,
    retries_count: job.retries_count,
    retry_source: job.retry_source,
    retry_type: job.retry_type,
    parallel_group_index: job.parallel_group_index,
    parallel_group_total: job.parallel_group_total,
    matrix: job.matrix,
    cluster_id: job.cluster_id,
    cluster_url: job.cluster_id ? links.cluster(organization, job.cluster_id).url : null,
    cluster_queue_id: job.cluster_queue_id,
    cluster_queue_url: queue ? queue.url : null,
  };
}

function renderAgentSnapshot(agent: AgentSnapshot, organization: string, links: Links): Infer<typeof JobAgent> {
  return {
    id: agent.id,
    graphql_id: graphqlId('Agent', agent.id),
    ...links.agent(organization, agent.id),
    name: agent.name,
    connection_state: agent.connection_state,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    creator: renderUserOrNull(agent.creator),
    created_at: agent.created_at,
  };
}
