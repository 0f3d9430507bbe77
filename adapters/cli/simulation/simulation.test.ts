import test from 'ava';
import { defaultFixture, type FakeService, fakeService } from '../../fake/index.js';
import { memoryStorage } from '../../memory/index.js';
import { connectedAgents } from './connected-agents.js';
import type { Delays } from './delays.js';
import { createEventPruner } from './event-pruner.js';
import { simulate } from './index.js';
import { simulationOffTag } from './off-tag.js';
import { createWorkerPool } from './worker-pool.js';

const builds = '/v2/organizations/acme/pipelines/web/builds';
const build = { commit: 'HEAD', branch: 'main' };

/** Delays of zero. */
const noDelays: Delays = { sleepBetween: async () => {} };

const [one, other] = defaultFixture.agents ?? [];
const [pipeline] = defaultFixture.pipelines ?? [];
if (!one || !other || !pipeline) throw new Error('The default fixture has changed');

/** An agent that runs jobs, one that is excluded from the simulation, and a pipeline that ends with a trigger job. */
const fixture = {
  ...defaultFixture,
  agents: [one, { ...other, meta_data: ['queue=default', simulationOffTag] }],
  pipelines: [
    { ...pipeline, steps: [...(pipeline.steps ?? []), { type: 'waiter' as const }, { type: 'trigger' as const }] },
  ],
};

async function createService() {
  const storage = memoryStorage();
  const fake = await fakeService({ storage, fixture });
  const errors: unknown[] = [];
  const createPool = () => createWorkerPool(fake.api, storage, noDelays, (error) => errors.push(error));
  return { fake, storage, errors, createPool };
}

async function newest(fake: FakeService) {
  const { body } = await fake.request('GET', `${builds}?per_page=1`);
  return body[0];
}

test('idle agents run the jobs of a build, including its trigger job; an excluded agent runs none', async (t) => {
  const { fake, storage, errors, createPool } = await createService();
  await fake.request('POST', builds, { body: build });
  const pool = createPool();
  for (let round = 0; round < 3; round += 1) {
    await pool.setAgents(await connectedAgents(storage));
    await pool.whenIdle();
  }
  const created = await newest(fake);
  t.is(created.state, 'passed');
  const names = new Set(created.jobs.flatMap((job: { agent: { name: string } | null }) => job.agent?.name ?? []));
  t.deepEqual([...names], [one.name]);
  t.deepEqual(errors, []);
});

test('jobs that an earlier simulation started are resumed', async (t) => {
  const { fake, storage, createPool } = await createService();
  await fake.request('POST', builds, { body: build });
  const [agent] = (await connectedAgents(storage)).filter(({ name }) => name === one.name);
  const job = await fake.api.runtime.jobs.accept({ agent: agent?.id ?? '' });
  await fake.api.runtime.jobs.start({ job: job?.id ?? '' });
  const pool = createPool();
  await pool.setAgents(await connectedAgents(storage));
  await pool.whenIdle();
  t.is((await newest(fake)).jobs[0].state, 'passed');
});

test('canceled builds and stopped agents are no errors', async (t) => {
  const { fake, storage, errors } = await createService();
  const { body: created } = await fake.request('POST', builds, { body: build });
  const cancelingDelays: Delays = {
    sleepBetween: async () => {
      await fake.request('PUT', `${builds}/${created.number}/cancel`);
    },
  };
  const pool = createWorkerPool(fake.api, storage, cancelingDelays, (error) => errors.push(error));
  await pool.setAgents(await connectedAgents(storage));
  await pool.whenIdle();
  t.is((await newest(fake)).state, 'canceled');
  const { body: agents } = await fake.request('GET', '/v2/organizations/acme/agents');
  for (const { id } of agents) await fake.request('PUT', `/v2/organizations/acme/agents/${id}/stop`);
  pool.wake();
  await pool.whenIdle();
  t.deepEqual(await connectedAgents(storage), []);
  t.deepEqual(errors, []);
});

test('agents without a heartbeat before the start of the simulation are not lost', async (t) => {
  const { fake, storage } = await createService();
  fake.clock.advance(3_600_000);
  const simulation = simulate(fake.api, storage);
  const seen = async () =>
    (await connectedAgents(storage)).filter(({ last_seen_at }) => Date.parse(last_seen_at) === fake.clock.now());
  while ((await seen()).length < 2) await new Promise((resolve) => setImmediate(resolve));
  await fake.api.runtime.sweep();
  await simulation.stop();
  t.is((await connectedAgents(storage)).length, 2);
});

test('old events are forgotten in batches', async (t) => {
  const calls: number[] = [];
  const events = createEventPruner({ forget: async (upTo) => void calls.push(upTo) });
  for (const sequence of [5_000, 10_999, 11_000, 11_500, 25_000]) {
    events.onEvent(sequence);
    await events.prune();
  }
  t.deepEqual(calls, [1_000, 15_000]);
});
