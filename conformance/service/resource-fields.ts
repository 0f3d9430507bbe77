import type { Schema } from '../api/index.js';
import { Agent } from '../api/schemas/agent.js';
import { NewAgentToken } from '../api/schemas/agent-token.js';
import { Build } from '../api/schemas/build.js';
import { Cluster } from '../api/schemas/cluster.js';
import { FlakyTest } from '../api/schemas/flaky-test.js';
import { Job } from '../api/schemas/job.js';
import { Pipeline } from '../api/schemas/pipeline.js';
import { Queue } from '../api/schemas/queue.js';
import { Team, TeamPipeline, TeamSuite } from '../api/schemas/team.js';
import { User } from '../api/schemas/user.js';

/** The fields of a resource with their kinds. A question mark means that null is allowed. */
export interface Resource {
  readonly clause: string;
  readonly name: string;
  readonly schema: Schema;
  readonly fields: Readonly<Record<string, string>>;
}

/** Parses a list of fields: `uuid: id; text: name description?`. */
const parseFields = (text: string): Resource['fields'] =>
  Object.fromEntries(
    text.split(';').flatMap((group) => {
      const [kind = '', names = ''] = group.split(':');
      return names
        .trim()
        .split(/\s+/)
        .map((name) => [name.replace('?', ''), kind.trim() + (name.endsWith('?') ? '?' : '')]);
    }),
  );

/** The fields of each resource (spec 2). */
export const resources: readonly Resource[] = [
  {
    clause: 'spec 2.1',
    name: 'User',
    schema: User,
    fields: parseFields('uuid: id; text: graphql_id name email; url: avatar_url; time: created_at'),
  },
  {
    clause: 'spec 2.2',
    name: 'Agent',
    schema: Agent,
    fields: parseFields(
      'uuid: id; text: graphql_id name connection_state hostname ip_address user_agent version; url: url web_url; object: creator job?; time: created_at last_job_finished_at?; integer: priority?; array: meta_data',
    ),
  },
  {
    clause: 'spec 2.3',
    name: 'Job',
    schema: Job,
    fields: parseFields(
      'uuid: id retried_in_job_id? cluster_id? cluster_queue_id?; text: graphql_id type name step_key state script_path command artifact_paths retry_type?; object: step agent? matrix?; array: agent_query_rules; url: build_url web_url log_url raw_log_url artifacts_url cluster_url? cluster_queue_url?; flag: soft_failed retried; integer: exit_status retries_count? parallel_group_index? parallel_group_total?; time: created_at scheduled_at runnable_at started_at finished_at',
    ),
  },
  {
    clause: 'spec 2.4',
    name: 'Build',
    schema: Build,
    fields: parseFields(
      'uuid: id; text: graphql_id state cancel_reason message commit branch source; url: url web_url; integer: number; flag: blocked; object: env creator meta_data pull_request rebuilt_from? pipeline; array: jobs; time: created_at scheduled_at started_at finished_at',
    ),
  },
  {
    clause: 'spec 2.5',
    name: 'Pipeline',
    schema: Pipeline,
    fields: parseFields(
      'uuid: id; text: graphql_id name slug repository branch_configuration? default_branch skip_queued_branch_builds_filter? cancel_running_branch_builds_filter?; url: url web_url builds_url badge_url; object: provider; flag: skip_queued_branch_builds cancel_running_branch_builds; time: created_at; integer: scheduled_builds_count running_builds_count scheduled_jobs_count running_jobs_count waiting_jobs_count',
    ),
  },
  {
    clause: 'spec 2.6',
    name: 'Cluster',
    schema: Cluster,
    fields: parseFields(
      'uuid: id default_queue_id?; text: graphql_id name description emoji color; url: url web_url queues_url default_queue_url?; time: created_at; object: created_by',
    ),
  },
  {
    clause: 'spec 2.7',
    name: 'Queue',
    schema: Queue,
    fields: parseFields(
      'uuid: id; text: graphql_id key description dispatch_paused_note?; url: url web_url cluster_url; flag: dispatch_paused; object: dispatch_paused_by? created_by; time: dispatch_paused_at? created_at',
    ),
  },
  {
    clause: 'spec 2.8',
    name: 'Agent token',
    schema: NewAgentToken,
    fields: parseFields(
      'uuid: id; text: graphql_id description allowed_ip_addresses token; url: url cluster_url; time: created_at; object: created_by',
    ),
  },
  {
    clause: 'spec 2.9',
    name: 'Team',
    schema: Team,
    fields: parseFields(
      'uuid: id; text: graphql_id name slug description privacy; flag: default; time: created_at; object: created_by',
    ),
  },
  {
    clause: 'spec 2.10',
    name: 'Team suite',
    schema: TeamSuite,
    fields: parseFields('uuid: suite_id; url: suite_url; time: created_at; array: access_level'),
  },
  {
    clause: 'spec 2.11',
    name: 'Team pipeline',
    schema: TeamPipeline,
    fields: parseFields('uuid: pipeline_id; url: pipeline_url; time: created_at; text: access_level'),
  },
  {
    clause: 'spec 2.12',
    name: 'Flaky test',
    schema: FlakyTest,
    fields: parseFields(
      'uuid: id; url: web_url; text: scope name location file_name; integer: instances; time: latest_occurrence_at most_recent_instance_at last_resolved_at?',
    ),
  },
];

/** The kind of value that a schema describes, as named in the table above. */
export function kindOf(schema: Schema): string {
  const [type] = [schema.type].flat().filter((one) => one !== 'null');
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'uri') return 'url';
  return type === 'boolean' ? 'flag' : type === 'string' ? 'text' : String(type);
}
