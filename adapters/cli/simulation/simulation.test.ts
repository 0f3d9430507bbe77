import test from 'ava';
import { type FakeService, fakeService, workshop } from '../../fake/index.js';
import { memoryStorage } from '../../memory/index.js';
import { crew } from './crew.js';
import { forgetful } from './forgetful.js';
import { simulate } from './index.js';
import type { Pace } from './pace.js';
import { roster } from './roster.js';
import { stillTag } from './still.js';

const builds = '/v2/organizations/acme/pipelines/web/builds';
const build = { commit: 'HEAD', branch: 'main' };

/** All that takes time takes none. */
const atOnce: Pace = { between: async () => {} };

const [one, other] = workshop.agents ?? [];
const [pipeline] = workshop.pipelines ?? [];
if (!one || !other || !pipeline) throw new Error('The workshop has changed');

/** One agent that works, one that is still, and a pipeline that ends with a trigger job. */
const fixture = {
  ...workshop,
  agents: [one, { ...other, meta_data: ['queue=default', stillTag] }],
  pipelines: [
    { ...pipeline, steps: [...(pipeline.steps ?? []), { type: 'waiter' as const }, { type: 'trigger' as const }] },
  ],
};

async function service() {
  const storage = memoryStorage();
  const fake = await fakeService({ storage, fixture });
  const errors: unknown[] = [];
  const players = () => crew(fake.api, storage, atOnce, (error) => errors.push(error));
  return { fake, storage, errors, players };
}

async function newest(fake: FakeService) {
  const { body } = await fake.request('GET', `${builds}?per_page=1`);
  return body[0];
}

test('idle agents work a build off, its trigger job included; one that is still does nothing', async (t) => {
  const { fake, storage, errors, players } = await service();
  await fake.request('POST', builds, { body: build });
  const band = players();
  for (let round = 0; round < 3; round += 1) {
    await band.muster(await roster(storage));
    await band.done();
  }
  const made = await newest(fake);
  t.is(made.state, 'passed');
  const names = new Set(made.jobs.flatMap((job: { agent: { name: string } | null }) => job.agent?.name ?? []));
  t.deepEqual([...names], [one.name]);
  t.deepEqual(errors, []);
});

test('what an earlier simulation had begun is taken up', async (t) => {
  const { fake, storage, players } = await service();
  await fake.request('POST', builds, { body: build });
  const [agent] = (await roster(storage)).filter(({ name }) => name === one.name);
  const job = await fake.api.host.jobs.accept({ agent: agent?.id ?? '' });
  await fake.api.host.jobs.start({ job: job?.id ?? '' });
  const band = players();
  await band.muster(await roster(storage));
  await band.done();
  t.is((await newest(fake)).jobs[0].state, 'passed');
});

test('what was canceled or stopped meanwhile is left alone', async (t) => {
  const { fake, storage, errors } = await service();
  const { body: made } = await fake.request('POST', builds, { body: build });
  const cancels: Pace = {
    between: async () => {
      await fake.request('PUT', `${builds}/${made.number}/cancel`);
    },
  };
  const band = crew(fake.api, storage, cancels, (error) => errors.push(error));
  await band.muster(await roster(storage));
  await band.done();
  t.is((await newest(fake)).state, 'canceled');
  const { body: agents } = await fake.request('GET', '/v2/organizations/acme/agents');
  for (const { id } of agents) await fake.request('PUT', `/v2/organizations/acme/agents/${id}/stop`);
  band.wake();
  await band.done();
  t.deepEqual(await roster(storage), []);
  t.deepEqual(errors, []);
});

test('agents that were silent while nothing ran are not lost', async (t) => {
  const { fake, storage } = await service();
  fake.clock.advance(3_600_000);
  const simulation = simulate(fake.api, storage);
  const seen = async () =>
    (await roster(storage)).filter(({ last_seen_at }) => Date.parse(last_seen_at) === fake.clock.now());
  while ((await seen()).length < 2) await new Promise((resolve) => setImmediate(resolve));
  await fake.api.host.sweep();
  await simulation.stop();
  t.is((await roster(storage)).length, 2);
});

test('old events are dropped now and then', async (t) => {
  const calls: number[] = [];
  const events = forgetful({ forget: async (upTo) => void calls.push(upTo) });
  for (const sequence of [5_000, 10_999, 11_000, 11_500, 25_000]) {
    events.saw(sequence);
    await events.old();
  }
  t.deepEqual(calls, [1_000, 15_000]);
});
