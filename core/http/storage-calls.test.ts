import test from 'ava';
import { fakeService } from '../../adapters/fake/index.js';
import { manualClock } from '../../adapters/fake/manual-clock.js';
import { inProcessRequest, type SendRequest } from '../../adapters/fake/request.js';
import { seededIds } from '../../adapters/fake/seeded-ids.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { organizationFixture } from '../../conformance/service/fixture.js';
import { overrideStorage } from '../../conformance/service/storage-wrappers.js';
import { type Api, createApi, type Storage } from '../index.js';
import type { Fixture } from '../provisioning/fixture-schema.js';

/** A storage that notes each call as `select pipeline.bySlug`. */
function countingStorage(inner: Storage) {
  const calls: string[] = [];
  const noted =
    <K extends 'find' | 'load' | 'select' | 'count' | 'commit' | 'next'>(name: K) =>
    (...args: unknown[]) => {
      calls.push(name === 'commit' || name === 'next' ? name : `${name} ${args[0]}`);
      return (inner[name] as (...args: unknown[]) => unknown)(...args);
    };
  const names = ['find', 'load', 'select', 'count', 'commit', 'next'] as const;
  const changes = Object.fromEntries(names.map((name) => [name, noted(name)])) as unknown as Partial<Storage>;
  return { storage: overrideStorage(inner, changes), take: () => calls.splice(0) };
}

interface Step {
  readonly request: SendRequest;
  readonly api: Api;
  readonly agents: Readonly<Record<string, string>>;
}

const builds = '/v2/organizations/acme/pipelines/web/builds';
const newBuild = { body: { commit: 'HEAD', branch: 'main' } };

/** The calls of each operation: the first time in a process, and right after that. */
const operations: Readonly<Record<string, (step: Step, time: number) => Promise<unknown>>> = {
  'list builds': ({ request }) => request('GET', builds),
  'get a build': ({ request }) => request('GET', `${builds}/1`),
  'list agents': ({ request }) => request('GET', '/v2/organizations/acme/agents'),
  'create a build': ({ request }) => request('POST', builds, newBuild),
  'cancel a build': ({ request }, time) => request('PUT', `${builds}/${time === 0 ? 1 : 4}/cancel`),
  'rebuild a build': ({ request }) => request('PUT', `${builds}/1/rebuild`),
  'stop an agent': ({ request, agents }, time) =>
    request('PUT', `/v2/organizations/acme/agents/${agents[time === 0 ? 'acme-agent-1' : 'idle-1']}/stop`, {
      body: {},
    }),
  'jobs.accept': ({ api, agents }, time) => api.runtime.jobs.accept({ agent: agents[`idle-${time + 1}`] ?? '' }),
};

/** Two agents of the organization have no job yet. */
const fixture: Fixture = {
  ...organizationFixture('acme'),
  agents: [
    ...(organizationFixture('acme').agents ?? []),
    ...['idle-1', 'idle-2'].map((name) => ({
      organization: 'acme',
      cluster: 'acme cluster',
      name,
      meta_data: ['queue=default'],
    })),
  ],
};

/** A new process over the records of an organization, with a few builds that wait for agents. */
async function coldStep(): Promise<Step & { readonly take: () => string[] }> {
  const inner = memoryStorage();
  const filled = await fakeService({ storage: inner, fixture });
  for (let build = 0; build < 3; build += 1) await filled.request('POST', builds, newBuild);
  const { body: agents } = await filled.request('GET', '/v2/organizations/acme/agents');
  const { storage, take } = countingStorage(inner);
  const clock = manualClock(filled.clock.now());
  const api = createApi({ storage, baseUrl: filled.baseUrl, clock, ids: seededIds(2) });
  return {
    api,
    request: inProcessRequest(api, filled.token),
    agents: Object.fromEntries(agents.map(({ id, name }: { id: string; name: string }) => [name, id])),
    take,
  };
}

/** How many calls each operation makes. Change these numbers only with a reason that stands in the commit. */
const expected: Readonly<Record<string, readonly [first: number, second: number]>> = {
  'list builds': [8, 1],
  'get a build': [8, 1],
  'list agents': [5, 1],
  'create a build': [8, 4],
  'cancel a build': [9, 4],
  'rebuild a build': [9, 5],
  'stop an agent': [5, 2],
  'jobs.accept': [4, 4],
};

test('an operation makes as few storage calls as it needs', async (t) => {
  const counted: Record<string, readonly [number, number]> = {};
  for (const [name, run] of Object.entries(operations)) {
    const step = await coldStep();
    await run(step, 0);
    const first = step.take();
    await run(step, 1);
    const second = step.take();
    counted[name] = [first.length, second.length];
    t.log(`${name.padEnd(16)} first ${first.length}: ${first.join(', ')}`);
    t.log(`${''.padEnd(16)} then ${second.length}: ${second.join(', ')}`);
    await step.api.close();
  }
  t.deepEqual(counted, expected);
});
