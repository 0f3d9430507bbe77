import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { type Fixture, type ServiceHarness, withService } from '../service.js';

const fixture = pipelineFixture({ steps: [{ key: 'a' }], branch_configuration: 'main' });
const states = [
  'scheduled',
  'running',
  'failing',
  'passed',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'not_run',
] as const;

const copied: Case<ServiceHarness> = {
  id: 'builds.rebuild',
  cites: 'spec 3.1, spec 4.2, decisions 7',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const original = (
        await driver.create({
          commit: 'c0ffee',
          message: 'Try',
          env: { A: '1' },
          meta_data: { release: '1' },
          author: { name: 'Ann', email: 'ann@x.test' },
          pull_request_id: 5,
          pull_request_base_branch: 'main',
        })
      ).body;
      await driver.runNextJob(await driver.connect('x'));
      service.clock.advance(60_000);
      const token = service.tokens['member@acme.test'] ?? null;
      const { status, body } = await driver.rebuild(1, { token });
      assert.equal(status, 200);
      for (const name of ['commit', 'branch', 'message', 'env', 'author', 'pull_request'])
        assert.deepEqual(body[name], original[name], name);
      assert.deepEqual(body.meta_data, {}, 'meta-data is not copied');
      assert.deepEqual(body.rebuilt_from, { id: original.id, number: 1, url: original.url });
      assert.deepEqual(
        body.creator,
        (await service.send('GET', '/v2/user', { token })).body,
        'the creator is the caller',
      );
      assert.deepEqual(
        [body.number, body.state, body.source, body.created_at, body.started_at, body.finished_at],
        [2, 'scheduled', 'api', '2026-01-05T09:01:00.000Z', null, null],
      );
      assert.notEqual(body.jobs[0].id, original.jobs[0].id);
      assert.equal((await driver.build(1)).body.state, 'passed', 'the original is unchanged');
      assert.deepEqual((await driver.build(2, '')).body.rebuilt_from, body.rebuilt_from);
      const third = (await driver.rebuild(2)).body;
      assert.deepEqual([third.number, third.rebuilt_from.number], [3, 2]);
    }),
};

const anyState: Case<ServiceHarness> = {
  id: 'builds.rebuild-in-any-state',
  cites: 'spec 3.1, decisions 7',
  run(harness) {
    const at = { organization: 'acme', pipeline: 'web', commit: 'HEAD', branch: 'excluded' };
    const builds: Fixture['builds'] = [
      ...states.map((state) => ({ ...at, state })),
      {
        ...at,
        state: 'passed' as const,
        blocked: true,
        jobs: [{ type: 'manual' as const, state: 'blocked' as const }],
      },
    ];
    return withService(harness, { ...fixture, builds }, async (service) => {
      const driver = new Driver(service);
      for (const [index] of builds.entries()) {
        const before = (await driver.build(index + 1)).body;
        const { status, body } = await driver.rebuild(index + 1);
        assert.deepEqual(
          [status, body.state, body.number, body.blocked],
          [200, 'scheduled', builds.length + index + 1, false],
          before.state,
        );
        const { pipeline: _, ...after } = (await driver.build(index + 1)).body;
        const { pipeline: __, ...wanted } = before;
        assert.deepEqual(after, wanted);
      }
    });
  },
};

export const rebuildingBuilds: readonly Case<ServiceHarness>[] = [copied, anyState];
