import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { buildsPath, Driver, pipelineFixture } from '../driver.js';
import { type ServiceHarness, withService } from '../service.js';

const blocks: Case<ServiceHarness> = {
  id: 'builds.block-and-unblock',
  cites: 'spec 2.4, spec 3.1, decisions 7',
  async run(harness) {
    const steps = [{ key: 'a', soft_fail: [3] }, { type: 'manual' as const, key: 'gate' }, { key: 'b' }];
    for (const exitStatus of [0, 3]) {
      await withService(harness, pipelineFixture({ steps }), async (service) => {
        const driver = new Driver(service);
        const agent = await driver.connect('x');
        const [, gate] = (await driver.create()).body.jobs;
        await assert.rejects(driver.runtime.jobs.unblock({ job: gate.id }), { data: { code: 'job.not_unblockable' } });
        service.clock.advance(1_000);
        await driver.runNextJob(agent, exitStatus);
        const blocked = (await driver.build(1)).body;
        assert.deepEqual(
          [blocked.state, blocked.blocked, blocked.finished_at, blocked.started_at],
          ['passed', true, '2026-01-05T09:00:01.000Z', '2026-01-05T09:00:01.000Z'],
        );
        for (const state of ['blocked', 'passed', 'finished'])
          assert.equal((await service.send('GET', `${buildsPath}?state=${state}`)).body.length, 1, state);
        for (const state of ['running', 'failed'])
          assert.equal((await service.send('GET', `${buildsPath}?state=${state}`)).body.length, 0, state);
        const refused = await driver.cancel(1);
        assert.deepEqual(refused.body, { message: "Build can't be canceled because it's blocked." });
        await driver.runtime.jobs.unblock({ job: gate.id });
        const running = (await driver.build(1)).body;
        assert.deepEqual([running.state, running.blocked, running.finished_at], ['running', false, null]);
        await assert.rejects(driver.runtime.jobs.unblock({ job: gate.id }), { data: { code: 'job.not_unblockable' } });
        await driver.runNextJob(agent);
        const done = (await driver.build(1)).body;
        assert.deepEqual([done.state, done.blocked], ['passed', false]);
        assert.deepEqual(await driver.jobStates(1), [exitStatus === 0 ? 'passed' : 'failed', 'unblocked', 'passed']);
        assert.equal(done.jobs[0].soft_failed, exitStatus === 3);
      });
    }
  },
};

const retries: Case<ServiceHarness> = {
  id: 'builds.include-retried-jobs',
  cites: 'spec 2.3, spec 2.4, decisions 6, decisions 12',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ key: 'a', parallelism: 2 }, { key: 'b' }] }), async (service) => {
      const driver = new Driver(service);
      const agent = await driver.connect('x');
      await driver.create();
      const failed = await driver.runNextJob(agent, 1);
      const again = (await driver.runtime.jobs.retry({ job: failed })).id;
      const third = await driver.runtime.jobs.retry({ job: await driver.runNextJob(agent, 0) });
      await assert.rejects(driver.runtime.jobs.retry({ job: failed }), { data: { code: 'job.not_retriable.retried' } });
      const all = (await driver.build(1, '?include_retried_jobs=true')).body.jobs;
      const latest = (await driver.build(1)).body.jobs;
      assert.equal(all.length, 5);
      assert.deepEqual(
        latest,
        all.filter((job: { retried: boolean }) => !job.retried),
      );
      assert.deepEqual(
        latest.map((job: Record<string, unknown>) => [job.step_key, job.parallel_group_index]),
        [
          ['a', 0],
          ['a', 1],
          ['b', null],
        ],
        'the last job of each step and parallel index',
      );
      const byId = new Map(all.map((job: { id: string }) => [job.id, job]));
      const old = byId.get(failed) as Record<string, unknown>;
      const next = byId.get(again) as Record<string, unknown>;
      assert.deepEqual(
        [old.state, old.retried, old.retried_in_job_id, old.retry_type, old.retries_count],
        ['failed', true, again, 'manual', null],
      );
      assert.deepEqual(
        [next.retries_count, next.retry_source, next.parallel_group_index],
        [1, { job_id: failed, retry_type: 'manual' }, 0],
      );
      assert.equal(byId.has(third.id), true);
      for (const path of ['/v2/builds', '/v2/organizations/acme/builds', buildsPath]) {
        const rendered = async (query: string) => (await service.send('GET', path + query)).body[0].jobs.length;
        assert.deepEqual([await rendered(''), await rendered('?include_retried_jobs=1')], [3, 5], path);
      }
    }),
};

const automaticRetries: Case<ServiceHarness> = {
  id: 'builds.automatic-retries',
  cites: 'decisions 6',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({
        steps: [
          {
            key: 'a',
            automatic_retry: [
              { exit_status: 7, limit: 2 },
              { exit_status: -1, limit: 1 },
            ],
          },
        ],
      }),
      async (service) => {
        const driver = new Driver(service);
        const agent = await driver.connect('x');
        await driver.create();
        for (const wanted of [
          ['failed', 'scheduled'],
          ['failed', 'failed', 'scheduled'],
        ]) {
          await driver.runNextJob(agent, 7);
          assert.deepEqual(await driver.jobStates(1), wanted);
          assert.equal((await driver.build(1)).body.state, 'running', 'a retried failure does not fail the build');
        }
        await driver.runNextJob(agent, 7);
        const { state, jobs } = (await driver.build(1, '?include_retried_jobs=true')).body;
        assert.equal(state, 'failed', 'not retried beyond the limit');
        assert.deepEqual(
          jobs.map((job: Record<string, unknown>) => [job.retried, job.retry_type, job.retries_count]),
          [
            [true, 'automatic', null],
            [true, 'automatic', 1],
            [false, null, 2],
          ],
        );
        await driver.create();
        await driver.runNextJob(agent, 1);
        assert.equal((await driver.build(2)).body.state, 'failed', 'not retried for another exit status');
        await driver.create();
        await driver.startNextJob(agent);
        service.clock.advance(3_600_000);
        await driver.runtime.sweep();
        assert.deepEqual(await driver.jobStates(3), ['failed', 'scheduled'], 'retried after its agent was lost');
      },
    ),
};

const softFails: Case<ServiceHarness> = {
  id: 'builds.soft-fails',
  cites: 'decisions 6',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({
        steps: [{ key: 'a', soft_fail: true }, { key: 'b', soft_fail: [2] }, { type: 'waiter' }, { key: 'c' }],
      }),
      async (service) => {
        const driver = new Driver(service);
        const agent = await driver.connect('x');
        const endWith = async (...exits: number[]) => {
          const { number } = (await driver.create()).body;
          for (const exit of exits) await driver.runNextJob(agent, exit);
          const { state, jobs } = (await driver.build(number)).body;
          return [state, jobs.map((job: { soft_failed: boolean }) => job.soft_failed)];
        };
        assert.deepEqual(await endWith(1, 2, 0), ['passed', [true, true, false, false]]);
        assert.deepEqual(await endWith(0, 3), ['failed', [false, false, false, false]]);
        assert.deepEqual(await endWith(255, 0, 1), ['failed', [true, false, false, false]]);
      },
    ),
};

const timeouts: Case<ServiceHarness> = {
  id: 'builds.job-timeouts',
  cites: 'decisions 6',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({ steps: [{ key: 'a', timeout_in_minutes: 2 }, { key: 'b' }] }),
      async (service) => {
        const driver = new Driver(service);
        const [one, other] = [await driver.connect('x'), await driver.connect('y')];
        await driver.create();
        const job = await driver.startNextJob(one);
        await driver.startNextJob(other);
        service.clock.advance(119_999);
        assert.deepEqual(await driver.runtime.sweep(), { agents: 0, jobs: 0 });
        service.clock.advance(1);
        assert.deepEqual(await driver.runtime.sweep(), { agents: 0, jobs: 1 });
        assert.deepEqual(await driver.jobStates(1), ['timing_out', 'running']);
        assert.equal(
          (await driver.runtime.agents.heartbeat({ agent: one })).job?.state,
          'timing_out',
          'the agent sees that its job is timing out',
        );
        assert.deepEqual(await driver.runtime.sweep(), { agents: 0, jobs: 0 });
        await driver.runtime.jobs.finish({ job, exit_status: 137 });
        const { state, jobs } = (await driver.build(1)).body;
        assert.deepEqual([state, jobs[0].state, jobs[0].exit_status], ['failing', 'timed_out', 137]);
      },
    ),
};

const manyTimeouts: Case<ServiceHarness> = {
  id: 'builds.many-job-timeouts',
  cites: 'decisions 6',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({ steps: [{ key: 'a', parallelism: 250, timeout_in_minutes: 1 }] }),
      async (service) => {
        const driver = new Driver(service);
        await driver.create();
        for (let index = 0; index < 250; index += 1) await driver.startNextJob(await driver.connect(`agent-${index}`));
        service.clock.advance(60_000);
        assert.deepEqual(await driver.runtime.sweep(), { agents: 0, jobs: 250 }, 'one sweep ends all of them');
      },
    ),
};

const queues: Case<ServiceHarness> = {
  id: 'builds.jobs-find-their-queue',
  cites: 'spec 2.6, spec 3.3, decisions 8',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({ steps: [{ key: 'a' }, { key: 'b', agent_query_rules: ['queue=large', 'os=linux'] }] }),
      async (service) => {
        const driver = new Driver(service);
        const plain = await driver.connect('plain', { meta_data: ['os=linux'] });
        const windows = await driver.connect('windows', { meta_data: ['queue=large', 'os=windows'] });
        const linux = await driver.connect('linux', { meta_data: ['queue=large', 'os=linux'] });
        const [a, b] = (await driver.create()).body.jobs;
        assert.equal(await driver.runtime.jobs.accept({ agent: windows }), null);
        assert.equal((await driver.runtime.jobs.accept({ agent: linux }))?.id, b.id);
        assert.equal((await driver.runtime.jobs.accept({ agent: plain }))?.id, a.id);
        assert.notEqual(a.cluster_queue_id, b.cluster_queue_id);
        assert.equal(a.cluster_queue_url, `${a.cluster_url}/queues/${a.cluster_queue_id}`);
      },
    ),
};

export const jobs: readonly Case<ServiceHarness>[] = [
  blocks,
  retries,
  automaticRetries,
  softFails,
  timeouts,
  manyTimeouts,
  queues,
];
