import { baseUrl } from '../../data/organization.js';

// SQL expressions that write JSON text as JavaScript writes it. `json_build_object` looks up the type of each of its
// arguments on every call, and puts spaces where nobody needs them: by hand it is faster.

/** `{"name":…}` of expressions that are JSON text already, and never null. */
export function object(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).flatMap(([name, sql], place) => [
    literal(`${place === 0 ? '{' : ','}"${name}":`),
    sql,
  ]);
  return `concat(${[...parts, `'}'`].join(', ')})`;
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** Text that may hold anything, or be null. */
export const text = (sql: string): string => `coalesce(to_json(${sql})::text, 'null')`;
/** Text without anything that JSON escapes. */
export const plain = (...sql: readonly string[]): string => `'"' || ${sql.join(' || ')} || '"'`;
export const plainOrNull = (...sql: readonly string[]): string => `coalesce(${plain(...sql)}, 'null')`;
/** Numbers, flags, and columns that hold JSON as text. */
export const raw = (sql: string): string => `coalesce(${sql}::text, 'null')`;
export const time = (sql: string): string =>
  `coalesce(to_char(${sql} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""'), 'null')`;
export const graphqlId = (type: string, id: string): string =>
  plain(`encode(convert_to('${type}---' || ${id}, 'UTF8'), 'base64')`);

const api = literal(`${baseUrl}/v2/organizations/`);
const web = literal(`${baseUrl}/`);

export const userText = (u: string): string =>
  `case when ${u}.id is null then 'null' else ${object({
    id: plain(`${u}.id`),
    graphql_id: graphqlId('User', `${u}.id`),
    name: text(`${u}.name`),
    email: text(`${u}.email`),
    avatar_url: text(`${u}.avatar_url`),
    created_at: time(`${u}.created_at`),
  })} end`;

/** The jobs of build `b`, as JSON; `jobs` is the table to take them from. `slug` is the organization's. */
export const jobsText = (b: string, slug: string, jobs = 'millrace_jobs'): string =>
  `(select coalesce('[' || string_agg(${jobText('j', slug)}, ',' order by j.position, j.created_at, j.id) || ']', '[]') from ${jobs} j where j.build_id = ${b}.id and not j.retried)`;

/**
 * The snapshot of a job's agent, which is stored as JSON text: what the answer has besides is put in behind the ids, at the
 * places where our own writer has them. Taking the JSON apart costs more than all the rest of a job.
 */
function agentOfJob(j: string, slug: string): string {
  const id = `substr(${j}.agent, 8, 36)`;
  const creator = `strpos(${j}.agent, '"creator":{"id":"')`;
  const added = [
    `'{"id":"'`,
    id,
    `'","graphql_id":'`,
    graphqlId('Agent', id),
    `',"url":"'`,
    `${api} || ${slug} || '/agents/' || ${id}`,
    `'","web_url":"'`,
    `${web} || 'organizations/' || ${slug} || '/agents/' || ${id}`,
    `'"'`,
  ].join(', ');
  const ofCreator = graphqlId('User', `substr(${j}.agent, ${creator} + 17, 36)`);
  const rest = `substr(${j}.agent, 45, ${creator} + 9), ',"graphql_id":', ${ofCreator}, substr(${j}.agent, ${creator} + 54)`;
  return `case when ${j}.agent is null then 'null' when ${creator} = 0 then concat(${added}, substr(${j}.agent, 45)) else concat(${added}, ${rest}) end`;
}

export const jobText = (j: string, slug: string): string => {
  const path = `${api} || ${slug} || '/pipelines/' || ${j}.pipeline_slug || '/builds/' || ${j}.build_number`;
  const cluster = `${api} || ${slug} || '/clusters/' || ${j}.cluster_id`;
  return object({
    id: plain(`${j}.id`),
    graphql_id: graphqlId('Job', `${j}.id`),
    type: plain(`${j}.type`),
    name: text(`${j}.name`),
    step_key: text(`${j}.step_key`),
    step: object({ id: plain(`${j}.step_id`), signature: raw(`${j}.signature`) }),
    agent_query_rules: raw(`${j}.agent_query_rules`),
    state: plain(`${j}.state`),
    build_url: plain(path),
    web_url: plain(
      `${web} || ${slug} || '/' || ${j}.pipeline_slug || '/builds/' || ${j}.build_number || '#' || ${j}.id`,
    ),
    log_url: plain(`${path} || '/jobs/' || ${j}.id || '/log'`),
    raw_log_url: plain(`${path} || '/jobs/' || ${j}.id || '/log.txt'`),
    artifacts_url: plain(`${path} || '/jobs/' || ${j}.id || '/artifacts'`),
    script_path: text(`${j}.script_path`),
    command: text(`${j}.command`),
    soft_failed: raw(`${j}.soft_failed`),
    exit_status: raw(`${j}.exit_status`),
    artifact_paths: text(`${j}.artifact_paths`),
    agent: agentOfJob(j, slug),
    created_at: time(`${j}.created_at`),
    scheduled_at: time(`${j}.scheduled_at`),
    runnable_at: time(`${j}.runnable_at`),
    started_at: time(`${j}.started_at`),
    finished_at: time(`${j}.finished_at`),
    retried: raw(`${j}.retried`),
    retried_in_job_id: plainOrNull(`${j}.retried_in_job_id`),
    retries_count: raw(`${j}.retries_count`),
    retry_source: raw(`${j}.retry_source`),
    retry_type: plainOrNull(`${j}.retry_type`),
    parallel_group_index: raw(`${j}.parallel_group_index`),
    parallel_group_total: raw(`${j}.parallel_group_total`),
    matrix: raw(`${j}.matrix`),
    cluster_id: plainOrNull(`${j}.cluster_id`),
    cluster_url: plainOrNull(cluster),
    cluster_queue_id: plainOrNull(`${j}.cluster_queue_id`),
    cluster_queue_url: plainOrNull(`${cluster} || '/queues/' || ${j}.cluster_queue_id`),
  });
};

/** Build `b` of user `u` without its last field, the pipeline: that is put in where the text is sent. */
export const buildText = (
  b: string,
  u: string,
  organization: string,
  pipeline: string,
  jobs = jobsText(b, organization),
): string => {
  const builds = `${api} || ${organization} || '/pipelines/' || ${pipeline} || '/builds/'`;
  return object({
    id: plain(`${b}.id`),
    graphql_id: graphqlId('Build', `${b}.id`),
    url: plain(`${builds} || ${b}.number`),
    web_url: plain(`${web} || ${organization} || '/' || ${pipeline} || '/builds/' || ${b}.number`),
    number: raw(`${b}.number`),
    state: plain(`${b}.state`),
    cancel_reason: text(`${b}.cancel_reason`),
    blocked: literal('false'),
    message: text(`${b}.message`),
    commit: text(`${b}.commit`),
    branch: text(`${b}.branch`),
    env: raw(`${b}.env`),
    source: plain(`${b}.source`),
    creator: userText(u),
    author: raw(`${b}.author`),
    jobs,
    created_at: time(`${b}.created_at`),
    scheduled_at: time(`${b}.scheduled_at`),
    started_at: time(`${b}.started_at`),
    finished_at: time(`${b}.finished_at`),
    meta_data: raw(`${b}.meta_data`),
    pull_request: raw(`${b}.pull_request`),
    rebuilt_from: `case when ${b}.rebuilt_from is null then 'null' else concat(left(${b}.rebuilt_from, -1), ',"url":"', ${builds}, ${b}.rebuilt_from::json ->> 'number', '"}') end`,
  });
};

export const agentText = (a: string, u: string, slug: string): string =>
  object({
    id: plain(`${a}.id`),
    graphql_id: graphqlId('Agent', `${a}.id`),
    url: plain(`${api} || ${slug} || '/agents/' || ${a}.id`),
    web_url: plain(`${web} || 'organizations/' || ${slug} || '/agents/' || ${a}.id`),
    name: text(`${a}.name`),
    connection_state: plain(`${a}.connection_state`),
    hostname: text(`${a}.hostname`),
    ip_address: text(`${a}.ip_address`),
    user_agent: text(`${a}.user_agent`),
    version: text(`${a}.agent_version`),
    creator: userText(u),
    created_at: time(`${a}.created_at`),
    job: `coalesce((select ${jobText('j', slug)} from millrace_jobs j where j.id = ${a}.job_id), 'null')`,
    last_job_finished_at: time(`${a}.last_job_finished_at`),
    priority: raw(`${a}.priority`),
    meta_data: raw(`${a}.meta_data`),
  });

/** The build's text with the pipeline as its last field. */
export const withPipeline = (build: string, pipeline: string): string =>
  `${build.slice(0, -1)},"pipeline":${pipeline}}`;
