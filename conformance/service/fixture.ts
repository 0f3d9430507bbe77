import type { Fixture } from '../../core/index.js';

/** The records of one organization. Every text contains its slug, so that cases can detect leaks to other organizations. */
export function organizationFixture(slug: string): Fixture {
  const admin = `admin@${slug}.test`;
  const member = `member@${slug}.test`;
  const stopper = `stopper@${slug}.test`;
  const at = { organization: slug };
  return {
    organizations: [{ slug, name: `Organization ${slug}` }],
    users: [
      { name: `Admin of ${slug}`, email: admin, organizations: [{ organization: slug, role: 'admin' }] },
      { name: `Member of ${slug}`, email: member, organizations: [{ organization: slug }] },
      {
        name: `Stopper of ${slug}`,
        email: stopper,
        organizations: [{ organization: slug, permissions: ['stop_agents'] }],
      },
    ],
    access_tokens: [{ user: admin }, { user: member }, { user: stopper }],
    clusters: [
      { ...at, name: `${slug} cluster`, default_queue: 'default', created_by: admin },
      { ...at, name: `${slug} spare`, description: `Spare of ${slug}`, emoji: ':wrench:', color: '#0a0b0c' },
    ],
    queues: [
      { ...at, cluster: `${slug} cluster`, key: 'default' },
      { ...at, cluster: `${slug} cluster`, key: 'large' },
      { ...at, cluster: `${slug} spare`, key: 'rest', description: `Rest of ${slug}`, created_by: admin },
      {
        ...at,
        cluster: `${slug} spare`,
        key: 'halted',
        dispatch_paused: true,
        dispatch_paused_by: admin,
        dispatch_paused_note: `Halted by ${slug}`,
      },
    ],
    agent_tokens: [
      { ...at, cluster: `${slug} cluster`, description: `Agents of ${slug}`, created_by: admin },
      { ...at, cluster: `${slug} spare`, description: `More of ${slug}`, allowed_ip_addresses: '10.0.0.0/8' },
    ],
    pipelines: [
      {
        ...at,
        slug: 'web',
        name: `Web of ${slug}`,
        repository: `git@${slug}.test:web.git`,
        cluster: `${slug} cluster`,
        provider: { id: 'github', webhook_url: `https://hooks.${slug}.test/web`, settings: { trigger_mode: 'code' } },
        steps: [
          {
            key: 'build',
            name: 'Build',
            command: 'make',
            signature: { value: 's', algorithm: 'HS256', signed_fields: ['command'] },
          },
          { type: 'waiter' },
          { key: 'test', name: 'Test', command: 'make test', parallelism: 2 },
        ],
      },
      {
        ...at,
        slug: 'deploy',
        name: `Deploy of ${slug}`,
        repository: `git@${slug}.test:deploy.git`,
        cluster: `${slug} cluster`,
        branch_configuration: 'main release/* !release/old*',
        steps: [
          { key: 'lint', name: 'Lint', command: 'make lint', soft_fail: true },
          { type: 'manual', key: 'gate', name: 'Go?' },
          {
            key: 'ship',
            name: 'Ship',
            command: 'make ship',
            agent_query_rules: ['queue=large'],
            script_path: 'bin/ship',
            artifact_paths: 'dist/**/*',
            matrix: { os: ['linux'] },
          },
        ],
      },
    ],
    suites: [
      { ...at, slug: `${slug}-suite`, name: `Suite of ${slug}`, collector: 'ruby' },
      { ...at, slug: `${slug}-other`, name: `Other suite of ${slug}` },
    ],
    teams: [
      {
        ...at,
        name: `Team of ${slug}`,
        created_by: admin,
        members: [{ user: member }],
        pipelines: [{ pipeline: 'web', access_level: 'manage_build_and_read' }],
        suites: [{ suite: `${slug}-suite`, access_level: ['read'] }],
      },
      {
        ...at,
        name: `Secret team of ${slug}`,
        description: `Secrets of ${slug}`,
        privacy: 'secret',
        members: [{ user: admin, role: 'maintainer' }],
        pipelines: [{ pipeline: 'deploy', access_level: 'read_only' }],
        suites: [{ suite: `${slug}-other`, access_level: ['read', 'edit'] }],
      },
    ],
    agents: [
      {
        ...at,
        cluster: `${slug} cluster`,
        name: `${slug}-agent-1`,
        hostname: `host-1.${slug}.test`,
        version: '3.1.0',
        priority: 5,
        creator: admin,
      },
      { ...at, cluster: `${slug} cluster`, name: `${slug}-agent-2`, connection_state: 'disconnected', creator: admin },
    ],
    builds: [
      {
        ...at,
        pipeline: 'web',
        commit: 'a'.repeat(40),
        branch: 'main',
        message: `Message of ${slug}`,
        state: 'running',
        creator: admin,
        env: { SECRET: `env of ${slug}` },
        meta_data: { release: `meta of ${slug}` },
        jobs: [
          {
            step_key: 'build',
            state: 'failed',
            exit_status: 2,
            retried: true,
            retried_in_job_id: jobId(slug),
            retry_type: 'manual',
          },
          { step_key: 'build', id: jobId(slug), state: 'running', agent: `${slug}-agent-1`, retries_count: 1 },
          { type: 'waiter', state: 'waiting' },
          { step_key: 'test', state: 'waiting', parallel_group_index: 0, parallel_group_total: 2 },
          { step_key: 'test', state: 'waiting', parallel_group_index: 1, parallel_group_total: 2 },
        ],
      },
      { ...at, pipeline: 'web', commit: 'b'.repeat(40), branch: 'main', state: 'passed', creator: member },
      {
        ...at,
        pipeline: 'deploy',
        commit: 'c'.repeat(40),
        branch: 'main',
        state: 'passed',
        blocked: true,
        creator: member,
      },
      { ...at, pipeline: 'web', commit: 'd'.repeat(40), branch: 'topic', state: 'scheduled', creator: admin },
    ],
  };
}

/** A job id that depends only on the slug. */
function jobId(slug: string): string {
  const hex = Buffer.from(slug.padEnd(6, '.')).toString('hex').slice(0, 12).padEnd(12, '0');
  return `0190a000-0000-7000-8000-${hex}`;
}

/** Merges fixtures into one. */
export function mergeFixtures(...fixtures: readonly Fixture[]): Fixture {
  const all: Record<string, unknown[]> = {};
  for (const fixture of fixtures) {
    for (const [kind, records] of Object.entries(fixture)) {
      if (Array.isArray(records)) all[kind] = [...(all[kind] ?? []), ...records];
    }
  }
  return all as Fixture;
}
