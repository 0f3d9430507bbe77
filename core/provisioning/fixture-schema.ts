import { type AgentState, agentMachine, buildStates, type JobState, jobStates, wireState } from '../machines/index.js';
import { type Scope, scopes } from '../model/scopes.js';
import { ProviderSettings } from '../representations/pipeline.js';
import {
  array,
  boolean,
  enumeration,
  type Infer,
  integer,
  nullable,
  optional,
  record,
  type Schema,
  strictObject,
  string,
} from '../schema/schema.js';

/*
 * A fixture: the records of a whole service, with the field names of the API. Records refer to each other by names (slugs, emails,
 * cluster names, queue keys), to records of the same document or to existing ones. Every record may have an `id` and a
 * `created_at`. Fields that are left out get defaults.
 */

const name = string({ minLength: 1, maxLength: 255 });
const slug = string({
  minLength: 1,
  maxLength: 255,
  pattern: '^[a-z0-9]+([-_.][a-z0-9]+)*$',
  reason: 'must be lower-case letters and digits, with single -, _ or . between them',
});
const email = string({
  minLength: 3,
  maxLength: 255,
  pattern: '^[^@\\s]+@[^@\\s]+$',
  reason: 'must be an email address',
});
/** The form of times in a document. The parser converts values of properties with this pattern to timestamps. */
export const timestampPattern =
  '^\\d{4}-\\d\\d-\\d\\d([Tt ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,9})?)?([Zz]|[+-]\\d\\d:?\\d\\d)?)?$';
const timestampString = string({
  description: 'ISO 8601 date or date-time; UTC, unless it has an offset',
  pattern: timestampPattern,
  reason: 'must be an ISO 8601 date or date-time',
});
const uuid = () =>
  string({
    format: 'uuid',
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    reason: 'must be a UUID',
  });
const queryRules = () => array(string({ pattern: '^[^=]+=', reason: 'must be of the form key=value' }));
const description = string({ maxLength: 10_000 });

const commonFields = { id: optional(uuid()), created_at: optional(timestampString) };
const organizationField = { organization: slug };
const createdByField = { created_by: optional(nullable(email)) };

const Organization = strictObject({
  ...commonFields,
  slug,
  name: optional(name),
  pipelines_security: optional(boolean()),
});

const User = strictObject({
  ...commonFields,
  name,
  email,
  avatar_url: optional(string({ maxLength: 2_000 })),
  organizations: optional(
    array(
      strictObject({
        organization: slug,
        role: optional(enumeration(['admin', 'member'])),
        permissions: optional(array(enumeration(['stop_agents']))),
        joins_default_teams: optional(
          boolean({
            description: "False: the user does not join the organization's default teams",
            default: true,
          } as object),
        ),
      }),
    ),
  ),
});

const AccessToken = strictObject({
  ...commonFields,
  user: email,
  token: optional(string({ description: 'The text of the token; absent: a new one is made and told in the reply' })),
  description: optional(string({ maxLength: 255 })),
  scopes: optional(array(enumeration<Scope>(scopes), { description: 'Absent: all of them' })),
  organizations: optional(nullable(array(slug, { description: 'Absent or null: all of the user' }))),
  expires_at: optional(nullable(timestampString)),
});

const Cluster = strictObject({
  ...commonFields,
  ...organizationField,
  ...createdByField,
  name,
  description: optional(nullable(description)),
  emoji: optional(nullable(string({ pattern: '^:[^:\\s]+:$', maxLength: 255, reason: 'must be of the form :name:' }))),
  color: optional(
    nullable(string({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', reason: 'must be a hex color code' })),
  ),
  default_queue: optional(nullable(string({ description: 'Key of a queue of this cluster' }))),
});

const Queue = strictObject({
  ...commonFields,
  ...organizationField,
  ...createdByField,
  cluster: name,
  key: string({ pattern: '^[A-Za-z0-9_-]{1,100}$', reason: 'must be 1 to 100 of A-Z, a-z, 0-9, _ and -' }),
  default: optional(boolean({ description: 'Makes it the default queue of its cluster, which may exist already' })),
  description: optional(nullable(description)),
  dispatch_paused: optional(boolean()),
  dispatch_paused_by: optional(nullable(email)),
  dispatch_paused_at: optional(nullable(timestampString)),
  dispatch_paused_note: optional(nullable(description)),
});

const AgentToken = strictObject({
  ...commonFields,
  ...organizationField,
  ...createdByField,
  cluster: name,
  description,
  allowed_ip_addresses: optional(
    nullable(string({ description: 'IPv4 addresses or CIDR blocks, separated by spaces' })),
  ),
  token: optional(string({ description: 'The text of the token; absent: a new one is made and told in the reply' })),
});

const signature = optional(
  nullable(strictObject({ value: string(), algorithm: string(), signed_fields: array(string()) })),
);

const Step = strictObject({
  id: optional(uuid()),
  type: optional(enumeration(['script', 'waiter', 'manual', 'trigger'])),
  key: optional(nullable(name)),
  name: optional(nullable(name)),
  command: optional(nullable(string({ maxLength: 65_535 }))),
  script_path: optional(nullable(string({ maxLength: 65_535 }))),
  artifact_paths: optional(nullable(string({ maxLength: 65_535 }))),
  agent_query_rules: optional(queryRules()),
  parallelism: optional(nullable(integer({ minimum: 1, maximum: 1_000 }))),
  matrix: optional(nullable(record(array(string(), { minItems: 1 })))),
  soft_fail: optional({ anyOf: [boolean(), array(integer())] } as Schema<boolean | readonly number[]>),
  automatic_retry: optional(
    array(
      strictObject({
        exit_status: { anyOf: [integer(), enumeration(['*'])] } as Schema<number | '*'>,
        limit: integer({ minimum: 1, maximum: 10 }),
      }),
    ),
  ),
  timeout_in_minutes: optional(nullable(integer({ minimum: 1 }))),
  continue_on_failure: optional(boolean()),
  branches: optional(nullable(string({ maxLength: 10_000 }))),
  signature,
});

const Pipeline = strictObject({
  ...commonFields,
  ...organizationField,
  slug,
  name: optional(name),
  repository: string({ maxLength: 65_535 }),
  branch_configuration: optional(nullable(string({ maxLength: 10_000 }))),
  default_branch: optional(string({ minLength: 1, maxLength: 255 })),
  cluster: optional(nullable(name)),
  provider: optional(
    strictObject({ id: string(), webhook_url: optional(string()), settings: optional(nullable(ProviderSettings)) }),
  ),
  skip_queued_branch_builds: optional(boolean()),
  skip_queued_branch_builds_filter: optional(nullable(string())),
  cancel_running_branch_builds: optional(boolean()),
  cancel_running_branch_builds_filter: optional(nullable(string())),
  steps: optional(array(Step, { minItems: 1 })),
});

const Suite = strictObject({
  ...commonFields,
  ...organizationField,
  slug,
  name: optional(name),
  default_branch: optional(nullable(string({ maxLength: 255 }))),
  collector: optional(nullable(name)),
});

const Team = strictObject({
  ...commonFields,
  ...organizationField,
  ...createdByField,
  name,
  slug: optional(slug),
  description: optional(description),
  privacy: optional(enumeration(['visible', 'secret'])),
  is_default_team: optional(boolean()),
  default_member_role: optional(enumeration(['member', 'maintainer'])),
  members_can_create_pipelines: optional(boolean()),
  members: optional(array(strictObject({ user: email, role: optional(enumeration(['member', 'maintainer'])) }))),
  pipelines: optional(
    array(
      strictObject({
        ...commonFields,
        pipeline: slug,
        access_level: enumeration(['read_only', 'build_and_read', 'manage_build_and_read']),
      }),
    ),
  ),
  suites: optional(
    array(
      strictObject({
        ...commonFields,
        suite: slug,
        access_level: array(enumeration(['read', 'edit']), { minItems: 1 }),
      }),
    ),
  ),
});

const Agent = strictObject({
  ...commonFields,
  ...organizationField,
  cluster: name,
  name,
  hostname: optional(name),
  ip_address: optional(string()),
  user_agent: optional(string({ maxLength: 1_000 })),
  version: optional(name),
  connection_state: optional(enumeration(Object.keys(agentMachine) as AgentState[])),
  creator: optional(nullable(email)),
  priority: optional(nullable(integer())),
  meta_data: optional(queryRules()),
  last_job_finished_at: optional(nullable(timestampString)),
});

const timeFields = {
  scheduled_at: optional(nullable(timestampString)),
  started_at: optional(nullable(timestampString)),
  finished_at: optional(nullable(timestampString)),
};

const Job = strictObject({
  ...commonFields,
  ...timeFields,
  runnable_at: optional(nullable(timestampString)),
  type: optional(enumeration(['script', 'waiter', 'manual', 'trigger'])),
  name: optional(nullable(name)),
  step_key: optional(nullable(name)),
  step: optional(strictObject({ id: optional(uuid()), signature })),
  state: enumeration(jobStates as readonly JobState[]),
  command: optional(nullable(string())),
  script_path: optional(nullable(string())),
  artifact_paths: optional(nullable(string())),
  agent_query_rules: optional(queryRules()),
  agent: optional(
    nullable(string({ description: 'Name or id of an agent; it is busy with the job if the job is under way' })),
  ),
  exit_status: optional(nullable(integer())),
  soft_failed: optional(boolean()),
  cluster_queue: optional(
    nullable(string({ description: 'Key of a queue; absent: by the rules, as for a new build' })),
  ),
  parallel_group_index: optional(nullable(integer())),
  parallel_group_total: optional(nullable(integer())),
  matrix: optional(nullable(record(string()))),
  retried: optional(boolean()),
  retried_in_job_id: optional(nullable(uuid())),
  retries_count: optional(nullable(integer())),
  retry_type: optional(nullable(enumeration(['manual', 'automatic']))),
  retry_source: optional(nullable(strictObject({ job_id: uuid(), retry_type: enumeration(['manual', 'automatic']) }))),
});

const Build = strictObject({
  ...commonFields,
  ...timeFields,
  ...organizationField,
  pipeline: slug,
  number: optional(integer({ minimum: 1 })),
  state: optional(enumeration([...new Set(buildStates.map(wireState))])),
  blocked: optional(boolean()),
  cancel_reason: optional(nullable(string())),
  message: optional(nullable(string({ maxLength: 65_535 }))),
  commit: string({ minLength: 1, maxLength: 255 }),
  branch: string({ minLength: 1, maxLength: 255 }),
  env: optional(record(string())),
  source: optional(string()),
  creator: optional(nullable(email)),
  author: optional(nullable(strictObject({ name: string(), email: string() }))),
  meta_data: optional(record(string())),
  pull_request: optional(
    nullable(
      strictObject({ id: string(), base: optional(nullable(string())), repository: optional(nullable(string())) }),
    ),
  ),
  rebuilt_from: optional(nullable(strictObject({ number: integer({ minimum: 1 }) }))),
  clean_checkout: optional(boolean()),
  jobs: optional(
    array(Job, { description: "Absent: made from the pipeline's steps, as far along as the build's state says" }),
  ),
});

export const Fixture = strictObject(
  {
    $schema: optional(string()),
    organizations: optional(array(Organization)),
    users: optional(array(User)),
    access_tokens: optional(array(AccessToken)),
    clusters: optional(array(Cluster)),
    queues: optional(array(Queue)),
    agent_tokens: optional(array(AgentToken)),
    pipelines: optional(array(Pipeline)),
    suites: optional(array(Suite)),
    teams: optional(array(Team)),
    agents: optional(array(Agent)),
    builds: optional(array(Build)),
  },
  { description: 'Records of a Millrace service' },
);

export type Fixture = Infer<typeof Fixture>;

/** The kinds of records in the order in which they are planned: each refers only to the kinds before it. */
export type Section = Exclude<keyof Fixture, '$schema'>;
export const sections = Object.keys(Fixture.properties as object).filter((name) => name !== '$schema') as Section[];

/** One record of a kind, such as `FixtureRecord<'pipelines'>`. */
export type FixtureRecord<K extends Section> = NonNullable<Fixture[K]>[number];
