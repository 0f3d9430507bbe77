import { baseUrl } from '../../data/organization.js';

// SQL expressions that write JSON text in the format of JSON.stringify. They are faster than `json_build_object`, which
// looks up the type of every argument on every call and inserts spaces.

/** `{"name":…}` from expressions that are JSON text and never null. */
export function jsonObject(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).flatMap(([name, sql], index) => [
    sqlLiteral(`${index === 0 ? '{' : ','}"${name}":`),
    sql,
  ]);
  return `concat(${[...parts, `'}'`].join(', ')})`;
}

export const sqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** Any text, or null. */
export const escapedString = (sql: string): string => `coalesce(to_json(${sql})::text, 'null')`;
/** Text without characters that JSON escapes. */
export const plainString = (...sql: readonly string[]): string => `'"' || ${sql.join(' || ')} || '"'`;
export const plainStringOrNull = (...sql: readonly string[]): string => `coalesce(${plainString(...sql)}, 'null')`;
/** Numbers, booleans, and columns that contain JSON text. */
export const rawValue = (sql: string): string => `coalesce(${sql}::text, 'null')`;
export const timestamp = (sql: string): string =>
  `coalesce(to_char(${sql} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""'), 'null')`;
export const graphqlId = (type: string, id: string): string =>
  plainString(`encode(convert_to('${type}---' || ${id}, 'UTF8'), 'base64')`);

const apiUrl = sqlLiteral(`${baseUrl}/v2/organizations/`);
const webUrl = sqlLiteral(`${baseUrl}/`);

export const userJson = (u: string): string =>
  `case when ${u}.id is null then 'null' else ${jsonObject({
    id: plainString(`${u}.id`),
    graphql_id: graphqlId('User', `${u}.id`),
    name: escapedString(`${u}.name`),
    email: escapedString(`${u}.email`),
    avatar_url: escapedString(`${u}.avatar_url`),
    created_at: timestamp(`${u}.created_at`),
  })} end`;

/** The jobs of build `b` as JSON. `jobs` is the table with the jobs, `slug` the slug of the organization. */
export const jobsJson = (b: string, slug: string, jobs = 'millrace_jobs'): string =>
  `(select coalesce('[' || string_agg(${jobJson('j', slug)}, ',' order by j.position, j.created_at, j.id) || ']', '[]') from ${jobs} j where j.build_id = ${b}.id and not j.retried)`;

/**
 * The snapshot of a job's agent, which is stored as JSON text. The fields that only the response has are inserted behind the
 * ids, where Millrace writes them. Parsing the JSON would cost more than the rest of the job.
 */
function jobAgentJson(j: string, slug: string): string {
  const id = `substr(${j}.agent, 8, 36)`;
  const creator = `strpos(${j}.agent, '"creator":{"id":"')`;
  const added = [
    `'{"id":"'`,
    id,
    `'","graphql_id":'`,
    graphqlId('Agent', id),
    `',"url":"'`,
    `${apiUrl} || ${slug} || '/agents/' || ${id}`,
    `'","web_url":"'`,
    `${webUrl} || 'organizations/' || ${slug} || '/agents/' || ${id}`,
    `'"'`,
  ].join(', ');
  const ofCreator = graphqlId('User', `substr(${j}.agent, ${creator} + 17, 36)`);
  const rest = `substr(${j}.agent, 45, ${creator} + 9), ',"graphql_id":', ${ofCreator}, substr(${j}.agent, ${creator} + 54)`;
  return `case when ${j}.agent is null then 'null' when ${creator} = 0 then concat(${added}, substr(${j}.agent, 45)) else concat(${added}, ${rest}) end`;
}

export const jobJson = (j: string, slug: string): string => {
  const path = `${apiUrl} || ${slug} || '/pipelines/' || ${j}.pipeline_slug || '/builds/' || ${j}.build_number`;
  const cluster = `${apiUrl} || ${slug} || '/clusters/' || ${j}.cluster_id`;
  return jsonObject({
    id: plainString(`${j}.id`),
    graphql_id: graphqlId('Job', `${j}.id`),
    type: plainString(`${j}.type`),
    name: escapedString(`${j}.name`),
    step_key: escapedString(`${j}.step_key`),
    step: jsonObject({ id: plainString(`${j}.step_id`), signature: rawValue(`${j}.signature`) }),
    agent_query_rules: rawValue(`${j}.agent_query_rules`),
    state: plainString(`${j}.state`),
    build_url: plainString(path),
    web_url: plainString(
      `${webUrl} || ${slug} || '/' || ${j}.pipeline_slug || '/builds/' || ${j}.build_number || '#' || ${j}.id`,
    ),
    log_url: plainString(`${path} || '/jobs/' || ${j}.id || '/log'`),
    raw_log_url: plainString(`${path} || '/jobs/' || ${j}.id || '/log.txt'`),
    artifacts_url: plainString(`${path} || '/jobs/' || ${j}.id || '/artifacts'`),
    script_path: escapedString(`${j}.script_path`),
    command: escapedString(`${j}.command`),
    soft_failed: rawValue(`${j}.soft_failed`),
    exit_status: rawValue(`${j}.exit_status`),
    artifact_paths: escapedString(`${j}.artifact_paths`),
    agent: jobAgentJson(j, slug),
    created_at: timestamp(`${j}.created_at`),
    scheduled_at: timestamp(`${j}.scheduled_at`),
    runnable_at: timestamp(`${j}.runnable_at`),
    started_at: timestamp(`${j}.started_at`),
    finished_at: timestamp(`${j}.finished_at`),
    retried: rawValue(`${j}.retried`),
    retried_in_job_id: plainStringOrNull(`${j}.retried_in_job_id`),
    retries_count: rawValue(`${j}.retries_count`),
    retry_source: rawValue(`${j}.retry_source`),
    retry_type: plainStringOrNull(`${j}.retry_type`),
    parallel_group_index: rawValue(`${j}.parallel_group_index`),
    parallel_group_total: rawValue(`${j}.parallel_group_total`),
    matrix: rawValue(`${j}.matrix`),
    cluster_id: plainStringOrNull(`${j}.cluster_id`),
    cluster_url: plainStringOrNull(cluster),
    cluster_queue_id: plainStringOrNull(`${j}.cluster_queue_id`),
    cluster_queue_url: plainStringOrNull(`${cluster} || '/queues/' || ${j}.cluster_queue_id`),
  });
};

/** Build `b` of user `u` without its last field, the pipeline, which the server appends. */
export const buildJson = (
  b: string,
  u: string,
  organization: string,
  pipeline: string,
  jobs = jobsJson(b, organization),
): string => {
  const builds = `${apiUrl} || ${organization} || '/pipelines/' || ${pipeline} || '/builds/'`;
  return jsonObject({
    id: plainString(`${b}.id`),
    graphql_id: graphqlId('Build', `${b}.id`),
    url: plainString(`${builds} || ${b}.number`),
    web_url: plainString(`${webUrl} || ${organization} || '/' || ${pipeline} || '/builds/' || ${b}.number`),
    number: rawValue(`${b}.number`),
    state: plainString(`${b}.state`),
    cancel_reason: escapedString(`${b}.cancel_reason`),
    blocked: sqlLiteral('false'),
    message: escapedString(`${b}.message`),
    commit: escapedString(`${b}.commit`),
    branch: escapedString(`${b}.branch`),
    env: rawValue(`${b}.env`),
    source: plainString(`${b}.source`),
    creator: userJson(u),
    author: rawValue(`${b}.author`),
    jobs,
    created_at: timestamp(`${b}.created_at`),
    scheduled_at: timestamp(`${b}.scheduled_at`),
    started_at: timestamp(`${b}.started_at`),
    finished_at: timestamp(`${b}.finished_at`),
    meta_data: rawValue(`${b}.meta_data`),
    pull_request: rawValue(`${b}.pull_request`),
    rebuilt_from: `case when ${b}.rebuilt_from is null then 'null' else concat(left(${b}.rebuilt_from, -1), ',"url":"', ${builds}, ${b}.rebuilt_from::json ->> 'number', '"}') end`,
  });
};

export const agentJson = (a: string, u: string, slug: string): string =>
  jsonObject({
    id: plainString(`${a}.id`),
    graphql_id: graphqlId('Agent', `${a}.id`),
    url: plainString(`${apiUrl} || ${slug} || '/agents/' || ${a}.id`),
    web_url: plainString(`${webUrl} || 'organizations/' || ${slug} || '/agents/' || ${a}.id`),
    name: escapedString(`${a}.name`),
    connection_state: plainString(`${a}.connection_state`),
    hostname: escapedString(`${a}.hostname`),
    ip_address: escapedString(`${a}.ip_address`),
    user_agent: escapedString(`${a}.user_agent`),
    version: escapedString(`${a}.agent_version`),
    creator: userJson(u),
    created_at: timestamp(`${a}.created_at`),
    job: `coalesce((select ${jobJson('j', slug)} from millrace_jobs j where j.id = ${a}.job_id), 'null')`,
    last_job_finished_at: timestamp(`${a}.last_job_finished_at`),
    priority: rawValue(`${a}.priority`),
    meta_data: rawValue(`${a}.meta_data`),
  });

/** Appends the pipeline as the last field of a build. */
export const withPipeline = (build: string, pipeline: string): string =>
  `${build.slice(0, -1)},"pipeline":${pipeline}}`;
