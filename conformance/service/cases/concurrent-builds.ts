import assert from 'node:assert/strict';
import { atSeam, type Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { type ServiceHarness, withService } from '../service.js';

const concurrently = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const numbers: Case<ServiceHarness> = {
  id: 'builds.numbers-at-once',
  cites: 'spec 2.4, decisions 7',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ key: 'a' }] }), async (service) => {
      const driver = new Driver(service);
      const responses = await concurrently(50, (index) => (index % 5 === 4 ? driver.rebuild(1) : driver.create()));
      const statuses = responses.map(({ status }) => status);
      const built = responses.filter(({ status }) => status < 300).map(({ body }) => body.number as number);
      assert.ok(
        statuses.every((status) => [200, 201, 404].includes(status)),
        statuses.join(),
      );
      assert.equal(new Set(built).size, built.length, 'no number twice');
      assert.ok(built.length >= 40);
      const { body } = await service.send('GET', '/v2/builds?per_page=100');
      const listed = body.map((build: { number: number }) => build.number);
      assert.deepEqual(
        [...listed].sort((a, b) => a - b),
        built.sort((a, b) => a - b),
      );
      const next = (await driver.create()).body.number;
      assert.ok(next > Math.max(...built), 'increasing');
    }),
};

const skipQueued: Case<ServiceHarness> = {
  id: 'builds.skip-queued-at-once',
  cites: 'decisions 7',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({ steps: [{ key: 'a' }], skip_queued_branch_builds: true }),
      async (service) => {
        const driver = new Driver(service);
        const responses = await concurrently(10, () => driver.create());
        assert.ok(responses.every(({ status }) => status === 201 || status === 409));
        const last = (await driver.create()).body.number;
        const { body } = await service.send('GET', '/v2/builds?state=scheduled');
        assert.deepEqual(
          body.map((build: { number: number }) => build.number),
          [last],
        );
      },
    ),
};

const oneJobPerAgent: Case<ServiceHarness> = {
  id: 'agents.accept-at-once',
  cites: 'spec 2.3, decisions 6',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ key: 'a', parallelism: 50 }] }), async (service) => {
      const driver = new Driver(service);
      await driver.create();
      const agents = await concurrently(50, (index) => driver.connect(`agent-${index}`));
      const taken = await concurrently(50, async (index) => driver.runtime.jobs.accept({ agent: agents[index] ?? '' }));
      const ids = taken.flatMap((job) => job?.id ?? []);
      assert.equal(ids.length, 50, 'every agent has a job');
      assert.equal(new Set(ids).size, 50, 'every job has one agent');
      const rendered = (await driver.build(1)).body.jobs;
      assert.ok(rendered.every((job: { state: string }) => job.state === 'accepted'));
      assert.equal(new Set(rendered.map((job: { agent: { id: string } }) => job.agent.id)).size, 50);
      await concurrently(50, (index) => driver.runtime.jobs.start({ job: ids[index] ?? '' }));
      assert.equal((await driver.build(1)).body.state, 'running');
    }),
};

const fewerJobsThanAgents: Case<ServiceHarness> = {
  id: 'agents.accept-at-once-what-is-scarce',
  cites: 'spec 2.3, decisions 6',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ key: 'a', parallelism: 3 }] }), async (service) => {
      const driver = new Driver(service);
      await driver.create();
      const agents = await concurrently(20, (index) => driver.connect(`agent-${index}`));
      const taken = await Promise.all(agents.map((agent) => driver.runtime.jobs.accept({ agent })));
      assert.equal(new Set(taken.flatMap((job) => job?.id ?? [])).size, 3);
      assert.equal(taken.filter((job) => job === null).length, 17);
    }),
};

const lastJobsFinish: Case<ServiceHarness> = {
  id: 'builds.last-jobs-end-at-once',
  cites: 'decisions 7',
  async run(harness) {
    for (const [exits, state] of [
      [[0, 0], 'passed'],
      [[0, 1], 'failed'],
      [[1, 1, 0, 0, 1], 'failed'],
      [[0, 0, 0, 0, 0, 0, 0, 0], 'passed'],
    ] as const) {
      await withService(
        harness,
        pipelineFixture({ steps: [{ key: 'a', parallelism: exits.length }] }),
        async (service) => {
          const driver = new Driver(service);
          await driver.create();
          const running: string[] = [];
          for (const index of exits.keys())
            running.push(await driver.startNextJob(await driver.connect(`agent-${index}`)));
          service.clock.advance(1_000);
          await concurrently(exits.length, (index) =>
            driver.runtime.jobs.finish({ job: running[index] ?? '', exit_status: exits[index] ?? 0 }),
          );
          const { body } = await driver.build(1);
          assert.deepEqual([body.state, body.finished_at], [state, '2026-01-05T09:00:01.000Z']);
          const { body: agents } = await service.send('GET', '/v2/organizations/acme/agents');
          assert.ok(
            agents.every((agent: { job: unknown }) => agent.job === null),
            'every agent is free',
          );
        },
      );
    }
  },
};

const cancelWhileJobsFinish: Case<ServiceHarness> = {
  id: 'builds.cancel-while-jobs-end',
  cites: 'decisions 7, decisions 12',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ key: 'a', parallelism: 4 }] }), async (service) => {
      const driver = new Driver(service);
      for (let number = 1; number <= 5; number += 1) {
        await driver.create();
        const running: { agent: string; job: string }[] = [];
        for (let index = 0; index < 4; index += 1) {
          const agent = await driver.connect(`agent-${number}-${index}`);
          running.push({ agent, job: await driver.startNextJob(agent) });
        }
        const [canceled, stopped] = await Promise.all([
          driver.cancel(number),
          driver.stop(running[3]?.agent ?? ''),
          ...running.slice(0, 3).map(({ job }) => driver.runtime.jobs.finish({ job, exit_status: 0 })),
        ]);
        assert.ok([200, 422].includes(canceled.status) && stopped.status === 204);
        const { body } = await driver.build(number);
        assert.equal(body.state, 'canceled');
        for (const { agent } of running) {
          const { job, connection_state } = (await driver.agent(agent)).body;
          assert.equal(job, null);
          if (connection_state === 'connected') await driver.runtime.agents.disconnect({ agent });
        }
      }
    }),
};

export const concurrentBuilds: readonly Case<ServiceHarness>[] = atSeam('concurrency', [
  numbers,
  skipQueued,
  oneJobPerAgent,
  fewerJobsThanAgents,
  lastJobsFinish,
  cancelWhileJobsFinish,
]);
