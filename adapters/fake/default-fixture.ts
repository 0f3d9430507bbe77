import type { Fixture } from '../../core/index.js';

const organization = 'acme';
const cluster = 'Main';
const agent = { organization, cluster, hostname: 'workshop.test', meta_data: ['queue=default'] };

/** The default fixture of a fake service: one organization with a few records of each kind, and no builds. */
export const defaultFixture: Fixture = {
  organizations: [{ slug: organization, name: 'Acme' }],
  users: [
    { name: 'Ada Moreno', email: 'ada@acme.test', organizations: [{ organization, role: 'admin' }] },
    { name: 'Ben Okafor', email: 'ben@acme.test', organizations: [{ organization, role: 'member' }] },
  ],
  clusters: [{ organization, name: cluster, default_queue: 'default' }],
  queues: [{ organization, cluster, key: 'default' }],
  agent_tokens: [{ organization, cluster, description: 'Workshop' }],
  pipelines: [
    {
      organization,
      slug: 'web',
      name: 'Web',
      repository: 'git@git.acme.test:web.git',
      cluster,
      steps: [
        { key: 'test', name: 'Test', command: 'npm test' },
        { type: 'waiter' },
        { key: 'pack', name: 'Pack', command: 'npm pack' },
      ],
    },
  ],
  suites: [{ organization, slug: 'web-tests', name: 'Web tests', default_branch: 'main' }],
  teams: [{ organization, name: 'Everyone', members: [{ user: 'ada@acme.test', role: 'maintainer' }] }],
  agents: [
    { ...agent, name: 'worker-1' },
    { ...agent, name: 'worker-2' },
  ],
};
