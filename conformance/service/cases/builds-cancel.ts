import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { type Fixture, type ServiceHarness, withService } from '../service.js';

const fixture = pipelineFixture({ steps: [{ key: 'a' }, { key: 'b' }, { type: 'waiter' }, { key: 'c' }] });

const cancelError = (reason: string) => ({ message: `Build can't be canceled because it's ${reason}.` });

const canceled: Case<ServiceHarness> = {
  id: 'builds.cancel',
  cites: 'spec 3.1, decisions 7, decisions 12',
  async run(harness) {
    const ways: readonly (readonly [string, (driver: Driver) => Promise<unknown>, string[]])[] = [
      ['scheduled', async () => {}, ['canceled', 'canceled', 'canceled', 'canceled']],
      [
        'running',
        async (driver) => driver.startNextJob(await driver.connect('x')),
        ['canceled', 'canceled', 'canceled', 'canceled'],
      ],
      [
        'failing',
        async (driver) => driver.runNextJob(await driver.connect('x'), 1),
        ['failed', 'canceled', 'canceled', 'canceled'],
      ],
    ];
    for (const [state, prepare, jobs] of ways) {
      await withService(harness, fixture, async (service) => {
        const driver = new Driver(service);
        const before = (await driver.create()).body;
        await prepare(driver);
        assert.equal((await driver.build(1)).body.state, state);
        service.clock.advance(5_000);
        const { status, body } = await driver.cancel(1);
        assert.deepEqual(
          [status, body.state, body.finished_at, body.cancel_reason],
          [200, 'canceled', '2026-01-05T09:00:05.000Z', 'Canceled by Admin of acme'],
        );
        assert.deepEqual([before.cancel_reason, before.finished_at], [null, null]);
        assert.deepEqual(await driver.jobStates(1), jobs);
        assert.deepEqual((await driver.build(1)).body, body);
        const again = await driver.cancel(1);
        assert.deepEqual([again.status, again.body], [422, cancelError('already finished')]);
        const { pipeline } = body;
        assert.deepEqual(
          [
            pipeline.scheduled_builds_count,
            pipeline.running_builds_count,
            pipeline.scheduled_jobs_count,
            pipeline.running_jobs_count,
            pipeline.waiting_jobs_count,
          ],
          [0, 0, 0, 0, 0],
        );
        const free = await driver.connect('y');
        assert.equal(await driver.runtime.jobs.accept({ agent: free }), null, 'no job is left to run');
      });
    }
  },
};

const states = ['passed', 'failed', 'canceled', 'skipped', 'not_run', 'canceling'] as const;

const refusals: Case<ServiceHarness> = {
  id: 'builds.cancel-refusals',
  cites: 'spec 3.1, spec 7, decisions 7',
  run(harness) {
    const at = { organization: 'acme', pipeline: 'web', commit: 'HEAD', branch: 'main' };
    const builds: Fixture['builds'] = [
      ...states.map((state) => ({ ...at, state })),
      {
        ...at,
        state: 'passed' as const,
        blocked: true,
        jobs: [{ type: 'manual' as const, state: 'blocked' as const }],
      },
      {
        ...at,
        state: 'failed' as const,
        blocked: true,
        jobs: [{ type: 'manual' as const, state: 'blocked' as const }],
      },
    ];
    return withService(harness, { ...fixture, builds }, async (service) => {
      const driver = new Driver(service);
      const reasons = [
        ...states.slice(0, -1).map(() => 'already finished'),
        'already being canceled',
        'blocked',
        'blocked',
      ];
      for (const [index, reason] of reasons.entries()) {
        const before = (await driver.build(index + 1)).body;
        const { status, body } = await driver.cancel(index + 1);
        assert.deepEqual([status, body], [422, cancelError(reason)], before.state);
        assert.deepEqual((await driver.build(index + 1)).body, before, 'a refused cancel changes nothing');
      }
    });
  },
};

const graceful: Case<ServiceHarness> = {
  id: 'builds.cancel-gracefully',
  cites: 'decisions 7',
  run: (harness) =>
    withService(
      harness,
      fixture,
      async (service) => {
        const driver = new Driver(service);
        const agent = await driver.connect('x');
        await driver.create();
        const job = await driver.startNextJob(agent);
        const { body } = await driver.cancel(1);
        assert.deepEqual([body.state, body.finished_at], ['canceling', null]);
        assert.deepEqual(await driver.jobStates(1), ['canceling', 'canceled', 'canceled', 'canceled']);
        assert.deepEqual((await driver.cancel(1)).body, cancelError('already being canceled'));
        assert.equal(
          (await driver.runtime.agents.heartbeat({ agent })).job?.state,
          'canceling',
          'the agent sees that its job is canceling',
        );
        await driver.runtime.jobs.finish({ job, exit_status: 143 });
        const after = (await driver.build(1)).body;
        assert.deepEqual([after.state, after.jobs[0].state, after.jobs[0].exit_status], ['canceled', 'canceled', 143]);
        await driver.create();
        assert.equal((await driver.cancel(2)).body.state, 'canceled', 'canceled immediately if no job runs');
      },
      { cancellation: 'graceful' },
    ),
};

const concurrentCancels: Case<ServiceHarness> = {
  id: 'builds.cancel-at-once',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      await driver.create();
      await driver.startNextJob(await driver.connect('x'));
      const responses = await Promise.all(Array.from({ length: 10 }, () => driver.cancel(1)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 422)]);
      for (const { status, body } of responses)
        if (status === 422) assert.deepEqual(body, cancelError('already finished'), 'refused like a later cancel');
    }),
};

export const cancelingBuilds: readonly Case<ServiceHarness>[] = [canceled, refusals, graceful, concurrentCancels];
