import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { type ServiceHarness, withService } from '../service.js';

const step = { key: 'a' };

/** Branch filters, each with branches that it includes and excludes. */
const filters: readonly (readonly [string | null, readonly string[], readonly string[]])[] = [
  [null, ['main', '*', '!x'], []],
  ['', ['main'], []],
  ['main', ['main'], ['Main', 'main2', 'xmain']],
  [
    'main release/* !release/old*',
    ['main', 'release/1', 'release/'],
    ['topic', 'release/old', 'release/older/1', 'release'],
  ],
  ['!topic/*', ['main', 'topic'], ['topic/', 'topic/a']],
  ['v*.*', ['v1.0', 'v.'], ['v1', 'xv1.0']],
];

const filtered: Case<ServiceHarness> = {
  id: 'builds.branch-filters',
  cites: 'spec 4.2, decisions 7',
  async run(harness) {
    for (const [branch_configuration, allowed, excluded] of filters) {
      await withService(harness, pipelineFixture({ branch_configuration, steps: [step] }), async (service) => {
        const driver = new Driver(service);
        for (const branch of allowed) assert.equal((await driver.create({ branch })).status, 201, branch);
        for (const branch of excluded) {
          const { status, body } = await driver.create({ branch });
          const message = `The branch ${branch} is excluded by this pipeline's branch filter`;
          assert.deepEqual([status, body], [422, { message }], `${branch_configuration}`);
          assert.equal((await driver.create({ branch, ignore_pipeline_branch_filters: false })).status, 422);
          assert.equal((await driver.create({ branch, ignore_pipeline_branch_filters: true })).status, 201);
        }
      });
    }
  },
};

const disabled: Case<ServiceHarness> = {
  id: 'builds.branches-disabled',
  cites: 'decisions 7',
  async run(harness) {
    for (const branch_configuration of ['!*', 'main !*']) {
      await withService(harness, pipelineFixture({ branch_configuration, steps: [step] }), async (service) => {
        const driver = new Driver(service);
        const { status, body } = await driver.create();
        assert.deepEqual([status, body], [422, { message: 'Branches have been disabled for this pipeline' }]);
        const invalid = await driver.create({ commit: '' });
        assert.equal(invalid.body.message, 'Validation Failed', 'validation has precedence over the branch filter');
        assert.equal((await driver.create({ ignore_pipeline_branch_filters: true })).body.number, 1);
      });
    }
  },
};

const ofSteps: Case<ServiceHarness> = {
  id: 'builds.step-branch-filters',
  cites: 'spec 4.2, decisions 7',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({
        steps: [
          { key: 'a', branches: 'main' },
          { key: 'b', branches: '!main' },
        ],
      }),
      async (service) => {
        const driver = new Driver(service);
        await driver.create({ ignore_pipeline_branch_filters: true });
        assert.deepEqual(await driver.jobStates(1), ['scheduled', 'skipped']);
        await driver.runNextJob(await driver.connect('x'));
        assert.equal((await driver.build(1)).body.state, 'passed', 'skipped steps do not block later ones');
      },
    ),
};

const noStepLeft: Case<ServiceHarness> = {
  id: 'builds.not-run',
  cites: 'decisions 7',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({ steps: [{ branches: 'other' }, { type: 'waiter' }, { branches: 'other' }] }),
      async (service) => {
        const driver = new Driver(service);
        const { status } = await driver.create();
        assert.equal(status, 201);
        const { body } = await driver.build(1);
        assert.deepEqual(
          [body.state, body.started_at, body.finished_at],
          ['not_run', null, '2026-01-05T09:00:00.000Z'],
        );
      },
    ),
};

const replaced: Case<ServiceHarness> = {
  id: 'builds.newer-replaces-older',
  cites: 'spec 2.5, decisions 7',
  async run(harness) {
    for (const skip of [false, true]) {
      for (const cancel of [false, true]) {
        const pipeline = {
          steps: [{ key: 'a' }, { key: 'b' }],
          skip_queued_branch_builds: skip,
          cancel_running_branch_builds: cancel,
        };
        await withService(harness, pipelineFixture(pipeline), async (service) => {
          const driver = new Driver(service);
          const agent = await driver.connect('x');
          await driver.create();
          await driver.startNextJob(agent);
          await driver.create({ branch: 'other' });
          service.clock.advance(1_000);
          const states = async () => {
            const numbers = [1, 2, 3, 4].slice(0, (await service.send('GET', '/v2/builds')).body.length);
            return Promise.all(numbers.map(async (number) => (await driver.build(number)).body.state));
          };
          await driver.create();
          assert.deepEqual(await states(), [cancel ? 'canceled' : 'running', 'scheduled', 'scheduled']);
          await driver.create();
          assert.deepEqual((await states()).slice(1), ['scheduled', skip ? 'skipped' : 'scheduled', 'scheduled']);
          const { job } = (await driver.agent(agent)).body;
          assert.equal(job === null, cancel, 'the agent of a canceled build is free');
          const first = (await driver.build(1)).body;
          assert.equal(first.cancel_reason, cancel ? 'Canceled by the newer build #3' : null);
          if (skip) {
            const skipped = (await driver.build(3)).body;
            assert.deepEqual([skipped.finished_at, skipped.cancel_reason], ['2026-01-05T09:00:01.000Z', null]);
            assert.deepEqual(await driver.jobStates(3), ['skipped', 'skipped']);
          }
        });
      }
    }
  },
};

const replacedByFilter: Case<ServiceHarness> = {
  id: 'builds.newer-replaces-older-on-filtered-branches',
  cites: 'spec 2.5, decisions 7',
  run: (harness) =>
    withService(
      harness,
      pipelineFixture({ steps: [step], skip_queued_branch_builds: true, skip_queued_branch_builds_filter: '!main' }),
      async (service) => {
        const driver = new Driver(service);
        for (const branch of ['main', 'main', 'topic', 'topic']) await driver.create({ branch });
        await driver.rebuild(1);
        await driver.rebuild(4);
        const states = await Promise.all(
          [1, 2, 3, 4, 5, 6].map(async (number) => (await driver.build(number)).body.state),
        );
        assert.deepEqual(states, ['scheduled', 'scheduled', 'skipped', 'skipped', 'scheduled', 'scheduled']);
      },
    ),
};

export const branches: readonly Case<ServiceHarness>[] = [
  filtered,
  disabled,
  ofSteps,
  noStepLeft,
  replaced,
  replacedByFilter,
];
