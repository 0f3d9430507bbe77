import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { Crew, pipelineFixture } from '../crew.js';
import { type Fixture, type ServiceHarness, withService } from '../service.js';

const world = pipelineFixture({ steps: [{ key: 'a' }, { key: 'b' }, { type: 'waiter' }, { key: 'c' }] });

const because = (reason: string) => ({ message: `Build can't be canceled because it's ${reason}.` });

const canceled: Case<ServiceHarness> = {
  id: 'builds.cancel',
  cites: 'spec 3.1, decisions 7, decisions 12',
  async run(harness) {
    const ways: readonly (readonly [string, (crew: Crew) => Promise<unknown>, string[]])[] = [
      ['scheduled', async () => {}, ['canceled', 'canceled', 'canceled', 'canceled']],
      [
        'running',
        async (crew) => crew.begin(await crew.connect('x')),
        ['canceled', 'canceled', 'canceled', 'canceled'],
      ],
      ['failing', async (crew) => crew.run(await crew.connect('x'), 1), ['failed', 'canceled', 'canceled', 'canceled']],
    ];
    for (const [state, prepare, jobs] of ways) {
      await withService(harness, world, async (service) => {
        const crew = new Crew(service);
        const before = (await crew.create()).body;
        await prepare(crew);
        assert.equal((await crew.build(1)).body.state, state);
        service.clock.advance(5_000);
        const { status, body } = await crew.cancel(1);
        assert.deepEqual(
          [status, body.state, body.finished_at, body.cancel_reason],
          [200, 'canceled', '2026-01-05T09:00:05.000Z', 'Canceled by Admin of acme'],
        );
        assert.deepEqual([before.cancel_reason, before.finished_at], [null, null]);
        assert.deepEqual(await crew.states(1), jobs);
        assert.deepEqual((await crew.build(1)).body, body);
        const again = await crew.cancel(1);
        assert.deepEqual([again.status, again.body], [422, because('already finished')]);
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
        const free = await crew.connect('y');
        assert.equal(await crew.host.jobs.accept({ agent: free }), null, 'nothing is left to run');
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
    return withService(harness, { ...world, builds }, async (service) => {
      const crew = new Crew(service);
      const reasons = [
        ...states.slice(0, -1).map(() => 'already finished'),
        'already being canceled',
        'blocked',
        'blocked',
      ];
      for (const [index, reason] of reasons.entries()) {
        const before = (await crew.build(index + 1)).body;
        const { status, body } = await crew.cancel(index + 1);
        assert.deepEqual([status, body], [422, because(reason)], before.state);
        assert.deepEqual((await crew.build(index + 1)).body, before, 'it stays as it was');
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
      world,
      async (service) => {
        const crew = new Crew(service);
        const agent = await crew.connect('x');
        await crew.create();
        const job = await crew.begin(agent);
        const { body } = await crew.cancel(1);
        assert.deepEqual([body.state, body.finished_at], ['canceling', null]);
        assert.deepEqual(await crew.states(1), ['canceling', 'canceled', 'canceled', 'canceled']);
        assert.deepEqual((await crew.cancel(1)).body, because('already being canceled'));
        assert.equal((await crew.host.agents.heartbeat({ agent })).job?.state, 'canceling', 'the agent is told');
        await crew.host.jobs.finish({ job, exit_status: 143 });
        const after = (await crew.build(1)).body;
        assert.deepEqual([after.state, after.jobs[0].state, after.jobs[0].exit_status], ['canceled', 'canceled', 143]);
        await crew.create();
        assert.equal((await crew.cancel(2)).body.state, 'canceled', 'at once if nothing runs');
      },
      { cancellation: 'graceful' },
    ),
};

const race: Case<ServiceHarness> = {
  id: 'builds.cancel-at-once',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, world, async (service) => {
      const crew = new Crew(service);
      await crew.create();
      await crew.begin(await crew.connect('x'));
      const answers = await Promise.all(Array.from({ length: 10 }, () => crew.cancel(1)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 422)]);
      for (const { status, body } of answers)
        if (status === 422) assert.deepEqual(body, because('already finished'), 'the same as one that came late');
    }),
};

export const cancelingBuilds: readonly Case<ServiceHarness>[] = [canceled, refusals, graceful, race];
