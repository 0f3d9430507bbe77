import { memoryStorage } from '../../adapters/memory/index.js';
import { createApi, type Fixture, idsFromBytes, type LoadedFixture, type Storage } from '../index.js';

/** What the clock of every test says. */
export const now = '2026-01-31T09:30:00.000Z';

/** A service over an empty memory storage, in a time that stands still and with the same ids every time. */
export async function emptyService(storage: Storage = memoryStorage()) {
  let byte = 7;
  const api = createApi({
    storage,
    clock: { now: () => Date.parse(now), sleep: async () => {} },
    ids: idsFromBytes((length) => Uint8Array.from({ length }, () => (byte = (byte * 73 + 41) % 251))),
    baseUrl: 'https://api.ci.test',
  });
  await api.prepare();
  return { api, storage };
}

/** A service that holds a fixture, and a way to ask it with the first of its access tokens. */
export async function serviceWithFixture(fixture: Fixture) {
  const { api, storage } = await emptyService();
  const loaded = await api.load(fixture);
  return { api, storage, loaded, get: makeGet(api, loaded) };
}

const makeGet =
  (api: Awaited<ReturnType<typeof emptyService>>['api'], loaded: LoadedFixture) => async (target: string) => {
    const response = await api.handle({
      method: 'GET',
      target,
      headers: { authorization: `Bearer ${loaded.access_tokens[0]?.token}` },
      remoteAddress: undefined,
      body: { parsed: undefined },
    });
    const body = Buffer.concat(response.body).toString();
    if (response.status !== 200) throw new Error(`GET ${target} answered ${response.status}: ${body}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
    return JSON.parse(body) as any;
  };

/** An organization with one of everything that builds need. */
export const baseFixture = {
  organizations: [{ slug: 'acme', name: 'Acme' }],
  users: [{ name: 'Ada', email: 'ada@acme.test', organizations: [{ organization: 'acme', role: 'admin' }] }],
  access_tokens: [{ user: 'ada@acme.test' }],
  clusters: [{ organization: 'acme', name: 'Linux', default_queue: 'default' }],
  queues: [
    { organization: 'acme', cluster: 'Linux', key: 'default' },
    { organization: 'acme', cluster: 'Linux', key: 'large' },
  ],
  agent_tokens: [{ organization: 'acme', cluster: 'Linux', description: 'Linux agents' }],
  pipelines: [
    {
      organization: 'acme',
      slug: 'web',
      repository: 'git@acme.test:web.git',
      cluster: 'Linux',
      steps: [
        { key: 'build', name: 'Build', command: 'make' },
        { type: 'waiter' },
        { key: 'test', name: 'Test', command: 'make test', agent_query_rules: ['queue=large'], parallelism: 2 },
      ],
    },
  ],
  suites: [{ organization: 'acme', slug: 'unit' }],
  teams: [
    {
      organization: 'acme',
      name: 'The Builders!',
      members: [{ user: 'ada@acme.test' }],
      pipelines: [{ pipeline: 'web', access_level: 'build_and_read' }],
      suites: [{ suite: 'unit', access_level: ['edit', 'read'] }],
    },
  ],
  agents: [
    { organization: 'acme', cluster: 'Linux', name: 'one', creator: 'ada@acme.test' },
    { organization: 'acme', cluster: 'Linux', name: 'two', meta_data: ['queue=large'] },
  ],
  builds: [
    {
      organization: 'acme',
      pipeline: 'web',
      commit: 'abc',
      branch: 'main',
      state: 'running',
      jobs: [
        { step_key: 'build', state: 'running', agent: 'one' },
        { state: 'waiting' },
        { step_key: 'test', state: 'waiting' },
        { step_key: 'test', state: 'waiting' },
      ],
    },
  ],
} as const satisfies Fixture;
