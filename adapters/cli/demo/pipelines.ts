import type { FixtureRecord } from '../../../core/index.js';
import { type Calendar, day } from './calendar.js';
import { cluster } from './fleet.js';
import { commitHash, uuidOf } from './seeded-random.js';
import { organization } from './summary.js';

export type Pipeline = FixtureRecord<'pipelines'>;
export type Step = NonNullable<Pipeline['steps']>[number];
export type PipelineSlug = 'web' | 'api' | 'mobile';

const onQueue = (key: string): string[] => [`queue=${key}`];

/** Quick and without a block step: a new build passes in a few seconds. */
const webSteps: readonly Step[] = [
  { key: 'lint', name: ':eslint: Lint', command: 'npm run lint', agent_query_rules: onQueue('default') },
  {
    key: 'test',
    name: ':jest: Test',
    command: 'npm test -- --shard=$PARALLEL_JOB/$PARALLEL_JOB_COUNT',
    artifact_paths: 'coverage/**/*;junit.xml',
    parallelism: 3,
    automatic_retry: [{ exit_status: -1, limit: 2 }],
    agent_query_rules: onQueue('default'),
  },
  {
    key: 'audit',
    name: ':lock: Audit',
    command: 'npm audit --audit-level=high',
    soft_fail: [1],
    agent_query_rules: onQueue('default'),
  },
  { type: 'waiter' },
  {
    key: 'image',
    name: ':docker: Image',
    command: 'docker build --tag registry.acme.example/web:$COMMIT .',
    agent_query_rules: onQueue('default'),
    signature: {
      value: `eyJhbGciOiJIUzI1NiJ9..${commitHash('signature')}`,
      algorithm: 'HS256',
      signed_fields: ['command', 'env', 'matrix', 'plugins', 'repository_url'],
    },
  },
  { type: 'trigger', key: 'smoke', name: ':smoking: Smoke tests' },
];

const apiSteps: readonly Step[] = [
  {
    key: 'test',
    name: ':node: Test',
    command: 'npm run test:$DATABASE',
    matrix: { node: ['20', '22'], database: ['postgres', 'sqlite'] },
    automatic_retry: [{ exit_status: '*', limit: 1 }],
  },
  { key: 'contract', name: ':handshake: Contract', command: 'npm run contract', soft_fail: true },
  { type: 'waiter' },
  { type: 'manual', key: 'release', name: ':rocket: Release?', branches: 'main release/*' },
  {
    key: 'deploy',
    name: ':kubernetes: Deploy',
    command: 'deploy/rollout.sh',
    branches: 'main release/*',
    agent_query_rules: onQueue('deploy'),
  },
];

/** Its Mac agents are not connected: new builds stay scheduled. */
const mobileSteps: readonly Step[] = [
  {
    key: 'ios',
    name: ':ios: Build',
    command: 'fastlane build',
    timeout_in_minutes: 45,
    branches: '!docs/*',
    agent_query_rules: onQueue('mac'),
  },
  {
    key: 'ui',
    name: ':iphone: UI tests',
    command: 'fastlane ui',
    matrix: { device: ['iPhone 15', 'iPhone SE'] },
    branches: '!docs/*',
    agent_query_rules: onQueue('mac'),
  },
  { type: 'waiter', continue_on_failure: true },
  {
    key: 'report',
    name: ':memo: Report',
    command: 'bin/report',
    branches: '!docs/*',
    agent_query_rules: onQueue('mac'),
  },
];

export const stepsOf: Readonly<Record<PipelineSlug, readonly Step[]>> = {
  web: withStepIds('web', webSteps),
  api: withStepIds('api', apiSteps),
  mobile: withStepIds('mobile', mobileSteps),
};

/** The steps with ids, since jobs refer to their step by id. */
function withStepIds(slug: PipelineSlug, steps: readonly Step[]): Step[] {
  return steps.map((step, index) => ({ id: uuidOf(`${slug}/step/${index}`, 1_750_000_000_000), ...step }));
}

const provider = (slug: PipelineSlug): NonNullable<Pipeline['provider']> => ({
  id: 'github',
  webhook_url: `https://hooks.acme.example/deliver/${commitHash(`webhook/${slug}`)}`,
  settings: {
    trigger_mode: 'code',
    repository: `acme/${slug}`,
    build_pull_requests: true,
    pull_request_branch_filter_enabled: false,
    skip_pull_request_builds_for_existing_commits: true,
    build_pull_request_forks: false,
    prefix_pull_request_fork_branch_names: true,
    build_tags: false,
    publish_commit_status: true,
    publish_commit_status_per_step: false,
    publish_blocked_as_pending: false,
  },
});

const pipeline = (slug: PipelineSlug, name: string, age: number, rest: Partial<Pipeline>) => ({
  organization,
  slug,
  name,
  repository: `git@github.com:acme/${slug}.git`,
  default_branch: 'main',
  cluster,
  provider: provider(slug),
  steps: stepsOf[slug],
  ...rest,
  created_at: new Date(age).toISOString(),
});

/** The first pipeline is the one whose slug the command prints. */
export const pipelines = ({ now }: Calendar): Pipeline[] => [
  pipeline('web', 'Web', now - 78 * day, {}),
  pipeline('api', 'API', now - 72 * day, { branch_configuration: 'main release/* feature/* !feature/wip-*' }),
  pipeline('mobile', 'Mobile', now - 50 * day, {
    skip_queued_branch_builds: true,
    skip_queued_branch_builds_filter: '!main',
    cancel_running_branch_builds: true,
    cancel_running_branch_builds_filter: '!main !release/*',
  }),
];
