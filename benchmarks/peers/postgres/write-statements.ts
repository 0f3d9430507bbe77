import { unfinishedJobStatesSql } from '../shared/unfinished-job-states.js';
import {
  buildJson,
  escapedString,
  jobsJson,
  jsonObject,
  plainString,
  plainStringOrNull,
  rawValue,
} from './json-sql.js';

const buildEvent = jsonObject({
  build_id: plainString('b.id'),
  number: rawValue('b.number'),
  pipeline_id: plainString('b.pipeline_id'),
  state: plainString('b.state'),
  branch: escapedString('b.branch'),
  commit: escapedString('b.commit'),
});

const jobEvent = jsonObject({
  job_id: plainString('j.id'),
  build_id: plainString('j.build_id'),
  type: plainString('j.type'),
  state: plainString('j.state'),
  agent_id: plainStringOrNull('j.agent_id'),
});

const insertEventsSql = (at: string): string =>
  `insert into millrace_events (type, organization_id, at, data)
  select 'build.' || b.state, b.organization_id, ${at}, ${buildEvent} from b
  union all select 'job.' || j.state, j.organization_id, ${at}, ${jobEvent} from j`;

/**
 * Inserts a build with its jobs, meta-data and events in one statement, if the queue still has the version that was read.
 * `hand-tuned.ts` binds the parameters. Returns the number of the build.
 */
export const createSql = `with q as (
  select id from millrace_queues where id = $5 and version = $6 for share
), n as (
  insert into millrace_sequences as s (name, value) select $15, 1 from q on conflict (name) do update set value = s.value + 1 returning value
), b as (
  insert into millrace_builds (id, version, organization_id, pipeline_id, number, state, message, commit, branch, env, source, creator_id, author, meta_data, clean_checkout, created_at, scheduled_at)
  select $1::uuid, 1, $4::uuid, $3::uuid, n.value, 'scheduled', $9, $7, $8, $10, 'api', $13::uuid, $11, $12, false, $14::timestamptz, $14::timestamptz from n
  returning *
), m as (
  insert into millrace_builds_meta_data (record_id, digest, created_at, organization_id, pipeline_id)
  select b.id, d.digest, b.created_at, b.organization_id, b.pipeline_id from b cross join unnest($16::text[]) as d(digest)
), j as (
  insert into millrace_jobs (id, version, organization_id, pipeline_id, build_id, build_number, pipeline_slug, position, type, name, step_key, step_id, signature, agent_query_rules, state, script_path, command, artifact_paths, soft_fail, soft_failed, automatic_retry, continue_on_failure, timeout_in_minutes, cluster_id, cluster_queue_id, retried, created_at, scheduled_at, runnable_at)
  select s.id, 1, b.organization_id, b.pipeline_id, b.id, b.number, $17, s.place - 1, s.type, s.name, s.key, s.step, s.signature, s.rules, 'scheduled', s.script_path, s.command, s.artifact_paths, s.soft_fail, false, s.automatic_retry, s.continue_on_failure, s.timeout, $18::uuid, $5, false, b.created_at, b.created_at, b.created_at
  from b cross join unnest($2::uuid[], $19::text[], $20::text[], $21::text[], $22::uuid[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::boolean[], $31::bigint[])
    with ordinality as s(id, type, name, key, step, signature, rules, script_path, command, artifact_paths, soft_fail, automatic_retry, continue_on_failure, timeout, place)
  returning *
), e as (
  ${insertEventsSql('$14::timestamptz')}
)
select value from n`;

/** The jobs after the change: the changed ones and the unchanged ones. */
const currentJobsSql = `(select * from j union all select m.* from millrace_jobs m join b on m.build_id = b.id where not exists (select 1 from j where j.id = m.id))`;

/**
 * Cancels a build with its unfinished jobs, releases the agents, inserts the events, and returns the build. The state is
 * checked while the row is locked. $1 pipeline, $2 number, $3 reason, $4 now, $5 and $6 slugs.
 */
export const cancelSql = `with b as (
  update millrace_builds set version = version + 1, state = 'canceled', cancel_reason = $3, finished_at = $4::timestamptz
  where pipeline_id = $1 and number = $2 and state in ('scheduled', 'running', 'failing') returning *
), j as (
  update millrace_jobs j set version = j.version + 1, state = 'canceled', finished_at = $4::timestamptz
  from b where j.build_id = b.id and j.state in ${unfinishedJobStatesSql} returning j.*
), a as (
  update millrace_agents a set version = a.version + 1, job_id = null, last_job_finished_at = $4::timestamptz from j where a.id = j.agent_id and a.job_id = j.id
), e as (
  ${insertEventsSql('$4::timestamptz')}
)
select ${buildJson('b', 'u', '$5::text', '$6::text', jobsJson('b', '$5::text', currentJobsSql))} from b left join millrace_users u on u.id = b.creator_id`;
