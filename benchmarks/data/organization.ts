import { digestOf } from '../../core/auth/token-format.js';
import { formatToken, scopes } from '../../core/index.js';
import type { Creator, Row, Step } from '../../core/model/index.js';
import type { Size } from './size.js';
import { idOf, pick, sha, timestamp } from './values.js';

const kinds = {
  organization: 1,
  user: 2,
  member: 3,
  token: 4,
  cluster: 5,
  queue: 6,
  agentToken: 7,
  agent: 8,
  pipeline: 9,
  step: 10,
};

/** The base URL of the links in the responses of all peers. */
export const baseUrl = 'https://ci.example.com';
/** The access token of every request. Its user is an admin. */
export const accessToken = formatToken('mra', 'b'.repeat(40));
export const stepsPerPipeline = 4;

/** The records that builds refer to. */
export interface OrganizationFixture {
  readonly organization: Row<'organization'>;
  readonly users: readonly Row<'user'>[];
  readonly members: readonly Row<'member'>[];
  readonly token: Row<'accessToken'>;
  readonly cluster: Row<'cluster'>;
  readonly queue: Row<'queue'>;
  readonly agentToken: Row<'agentToken'>;
  readonly agents: readonly Row<'agent'>[];
  readonly pipelines: readonly Row<'pipeline'>[];
}

export function organizationFixture(size: Pick<Size, 'agents' | 'users' | 'pipelines'>): OrganizationFixture {
  const organization: Row<'organization'> = {
    id: idOf(kinds.organization, 1),
    version: 1,
    slug: 'acme',
    name: 'Acme Works',
    pipelines_security: true,
    created_at: timestamp(0),
  };
  const commonColumns = { organization_id: organization.id, version: 1 };
  const users = Array.from(
    { length: size.users },
    (_, n): Row<'user'> => ({
      id: idOf(kinds.user, n),
      version: 1,
      name: `${pick(firstNames, n, 1)} ${pick(lastNames, n, 2)}`,
      email: `user-${n}@acme.example`,
      avatar_url: `https://www.gravatar.example/avatar/${sha(`avatar ${n}`).slice(0, 32)}`,
      created_at: timestamp(n),
    }),
  );
  const firstUser = users[0]?.id ?? '';
  const cluster: Row<'cluster'> = {
    ...commonColumns,
    id: idOf(kinds.cluster, 1),
    name: 'Everything',
    description: 'A place for all agents',
    emoji: ':toolbox:',
    color: '#A9CCE3',
    default_queue_id: idOf(kinds.queue, 1),
    created_at: timestamp(1),
    created_by_id: firstUser,
  };
  const queue: Row<'queue'> = {
    ...commonColumns,
    id: idOf(kinds.queue, 1),
    cluster_id: cluster.id,
    key: 'default',
    description: 'The queue that is used where none is named',
    dispatch: 'running',
    dispatch_paused_at: null,
    dispatch_paused_by_id: null,
    dispatch_paused_note: null,
    created_at: timestamp(2),
    created_by_id: firstUser,
  };
  const agentToken: Row<'agentToken'> = {
    ...commonColumns,
    id: idOf(kinds.agentToken, 1),
    cluster_id: cluster.id,
    description: 'All machines',
    allowed_ip_addresses: '0.0.0.0/0',
    digest: sha('agent token'),
    created_at: timestamp(3),
    created_by_id: firstUser,
  };
  return {
    organization,
    users,
    members: users.map(({ id }, n) => ({
      ...commonColumns,
      id: idOf(kinds.member, n),
      user_id: id,
      role: n === 0 ? 'admin' : 'member',
      permissions: [],
      created_at: timestamp(n),
    })),
    token: {
      id: idOf(kinds.token, 1),
      version: 1,
      user_id: firstUser,
      digest: digestOf(accessToken),
      description: 'Benchmarks',
      scopes: [...scopes],
      organization_ids: null,
      created_at: timestamp(4),
      expires_at: null,
      revoked_at: null,
    },
    cluster,
    queue,
    agentToken,
    agents: Array.from({ length: size.agents }, (_, n) =>
      agentOf(n, { of: commonColumns, cluster, queue, agentToken, users }),
    ),
    pipelines: size.pipelines.map((_, n) => pipelineOf(n, organization.id, cluster.id)),
  };
}

function agentOf(
  n: number,
  {
    of: commonColumns,
    cluster,
    queue,
    agentToken,
    users,
  }: Pick<OrganizationFixture, 'cluster' | 'queue' | 'agentToken' | 'users'> & { of: object },
): Row<'agent'> {
  return {
    ...(commonColumns as { organization_id: string; version: number }),
    id: idOf(kinds.agent, n),
    cluster_id: cluster.id,
    queue_id: queue.id,
    agent_token_id: agentToken.id,
    name: `ip-10-0-${n}-17.eu-central-1.compute.internal-${n % 4}`,
    hostname: `ip-10-0-${n}-17.eu-central-1.compute.internal`,
    ip_address: `10.0.${n % 250}.17`,
    user_agent: 'millrace-agent/3.91.0.9134 (linux; amd64)',
    agent_version: '3.91.0',
    connection_state: 'connected',
    creator_id: users[n % users.length]?.id ?? null,
    priority: n % 5,
    meta_data: ['queue=default', `os=${n % 3 ? 'linux' : 'darwin'}`, 'docker=true', `zone=eu-central-1${'abc'[n % 3]}`],
    job_id: null,
    last_job_finished_at: timestamp(100_000 + n),
    last_seen_at: timestamp(100_060 + n),
    created_at: timestamp(50_000 + n * 13),
  };
}

/** The snapshot of an agent that its jobs store. */
export const creatorOf = ({ id, name, email, avatar_url, created_at }: Row<'user'>): Creator => ({
  id,
  name,
  email,
  avatar_url,
  created_at,
});

function pipelineOf(n: number, organization: string, cluster: string): Row<'pipeline'> {
  const repository = `git@git.acme.example:acme/${names[n % names.length]}-${n}.git`;
  return {
    id: idOf(kinds.pipeline, n),
    version: 1,
    organization_id: organization,
    cluster_id: cluster,
    slug: pipelineSlug(n),
    name: `${names[n % names.length]} ${n}`,
    repository,
    branch_configuration: '!gh-pages !wip/*',
    default_branch: 'main',
    provider: {
      id: 'github',
      webhook_url: `https://webhook.acme.example/deliver/${sha(`webhook ${n}`)}`,
      settings: {
        trigger_mode: 'code',
        repository: `acme/${names[n % names.length]}-${n}`,
        build_pull_requests: true,
        pull_request_branch_filter_enabled: false,
        skip_pull_request_builds_for_existing_commits: true,
        build_pull_request_forks: false,
        prefix_pull_request_fork_branch_names: true,
        build_tags: false,
        publish_commit_status: true,
        publish_commit_status_per_step: false,
        publish_blocked_as_pending: true,
      },
    },
    // Off, because a new build would otherwise skip or cancel older builds of its branch.
    skip_queued_branch_builds: false,
    skip_queued_branch_builds_filter: '!main',
    cancel_running_branch_builds: false,
    cancel_running_branch_builds_filter: '!main',
    badge_token: sha(`badge ${n}`),
    steps: commands.slice(0, stepsPerPipeline).map((command, position) => stepOf(n, position, command)),
    created_at: timestamp(10 + n),
  };
}

export const pipelineSlug = (n: number): string => `${names[n % names.length]}-${n}`;

const stepOf = (pipeline: number, position: number, [key, name, command]: readonly [string, string, string]): Step => ({
  id: idOf(kinds.step, pipeline * 16 + position),
  type: 'script',
  key,
  name,
  command,
  script_path: `.ci/${key}.sh`,
  artifact_paths: `artifacts/${key}/**/*;log/*.txt`,
  agent_query_rules: ['queue=default'],
  parallelism: null,
  matrix: null,
  soft_fail: false,
  automatic_retry: [],
  timeout_in_minutes: 30,
  continue_on_failure: false,
  branches: null,
  signature: {
    value: `eyJhbGciOiJFUzI1NiIsImtpZCI6Im1pbGwifQ..${sha(`signature ${pipeline} ${position}`)}${sha(`more ${pipeline} ${position}`)}`,
    algorithm: 'ES256',
    signed_fields: ['command', 'env', 'matrix', 'plugins', 'repository_url'],
  },
});

const names = ['web', 'api', 'mobile', 'billing', 'search', 'ingest', 'docs'];
const firstNames = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Ken', 'Radia', 'Tony'];
const lastNames = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Allen',
  'Thompson',
  'Perlman',
  'Hoare',
];
const commands = [
  ['lint', ':eslint: Lint', 'npm ci && npm run lint -- --max-warnings=0'],
  ['test', ':jest: Unit tests', 'npm ci && npm test -- --shard=$PARALLEL_JOB/$PARALLEL_JOB_COUNT --coverage'],
  ['image', ':docker: Image', 'docker build --pull --tag registry.acme.example/app:$BUILD_COMMIT .'],
  ['scan', ':lock: Scan', 'trivy image --exit-code 1 --severity HIGH,CRITICAL registry.acme.example/app:$BUILD_COMMIT'],
] as const;
