import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { type ServiceHarness, withService } from '../service.js';

const fixture = pipelineFixture({ steps: [{ command: 'make' }, { command: 'make test' }] });
const notConnectedError = { message: 'Can only stop connected agents' };

const idle: Case<ServiceHarness> = {
  id: 'agents.stop-idle',
  cites: 'spec 3.2, spec 4.1, decisions 5',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      for (const body of [undefined, {}, { force: true }, { force: false }, { force: null }]) {
        const id = await driver.connect('one');
        assert.equal((await driver.stop(id, { body })).status, 204);
        assert.equal((await driver.agent(id)).body.connection_state, 'stopped');
        const again = await driver.stop(id, { body });
        assert.deepEqual([again.status, again.body], [400, notConnectedError]);
      }
    }),
};

const withForce: Case<ServiceHarness> = {
  id: 'agents.stop-with-force',
  cites: 'spec 3.2, spec 4.1, decisions 5',
  async run(harness) {
    for (const body of [undefined, {}, { force: true }, { force: null }]) {
      await withService(harness, fixture, async (service) => {
        const driver = new Driver(service);
        const [one, other] = [await driver.connect('one'), await driver.connect('other')];
        await driver.create();
        const job = await driver.startNextJob(one);
        await driver.startNextJob(other);
        service.clock.advance(1_000);
        assert.equal((await driver.stop(one, { body })).status, 204);
        const agent = (await driver.agent(one)).body;
        assert.deepEqual(
          [agent.connection_state, agent.job, agent.last_job_finished_at],
          ['stopped', null, '2026-01-05T09:00:01.000Z'],
        );
        const build = (await driver.build(1)).body;
        assert.deepEqual([build.state, build.finished_at], ['canceled', '2026-01-05T09:00:01.000Z']);
        assert.deepEqual(await driver.jobStates(1), ['canceled', 'canceled']);
        const rest = (await driver.agent(other)).body;
        assert.deepEqual([rest.connection_state, rest.job], ['connected', null], 'the other agent is free again');
        await driver.runtime.jobs.finish({ job, exit_status: 0 });
        assert.equal((await driver.jobStates(1))[0], 'canceled', 'a later result of the job changes nothing');
      });
    }
  },
};

const withoutForce: Case<ServiceHarness> = {
  id: 'agents.stop-without-force',
  cites: 'spec 3.2, decisions 5',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const id = await driver.connect('one');
      await driver.create();
      const job = await driver.startNextJob(id);
      assert.equal((await driver.stop(id, { body: { force: false } })).status, 204);
      const stopping = (await driver.agent(id)).body;
      assert.deepEqual([stopping.connection_state, stopping.job.id], ['stopping', job]);
      assert.equal((await driver.build(1)).body.state, 'running', 'its build continues');
      for (const body of [{ force: false }, { force: true }])
        assert.deepEqual((await driver.stop(id, { body })).body, notConnectedError, 'the agent is no longer connected');
      await driver.runtime.jobs.finish({ job, exit_status: 0 });
      const stopped = (await driver.agent(id)).body;
      assert.deepEqual([stopped.connection_state, stopped.job], ['stopped', null]);
      await assert.rejects(driver.runtime.jobs.accept({ agent: id }), { data: { code: 'agent.not_connected' } });
      assert.deepEqual(await driver.jobStates(1), ['passed', 'scheduled']);
      const other = await driver.connect('other');
      const accepted = await driver.runtime.jobs.accept({ agent: other });
      await driver.stop(other, { body: { force: false } });
      await driver.runtime.jobs.release({ job: accepted?.id ?? '' });
      const { connection_state, job: none } = (await driver.agent(other)).body;
      assert.deepEqual([connection_state, none], ['stopped', null], 'stopped after it released its job');
      assert.deepEqual(await driver.jobStates(1), ['passed', 'scheduled']);
    }),
};

const unconnected: Case<ServiceHarness> = {
  id: 'agents.stop-unconnected',
  cites: 'spec 3.2, spec 7, decisions 5',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const gone = await driver.connect('gone');
      await driver.runtime.agents.disconnect({ agent: gone });
      const silent = await driver.connect('silent');
      service.clock.advance(3_600_000);
      await driver.runtime.sweep();
      const input = { name: 'never', hostname: 'h', ip_address: '10.0.0.1', version: '1' };
      const token = service.agentTokens['acme cluster'] ?? '';
      const never = (await driver.runtime.agents.register({ token, ...input })).id;
      for (const [id, state] of [
        [gone, 'disconnected'],
        [silent, 'lost'],
        [never, 'never_connected'],
      ] as const) {
        const response = await driver.stop(id);
        assert.deepEqual([response.status, response.body], [400, notConnectedError], state);
        assert.equal((await driver.agent(id)).body.connection_state, state);
      }
    }),
};

const rights: Case<ServiceHarness> = {
  id: 'agents.stop-rights',
  cites: 'spec 4.1, spec 5.5, decisions 2, decisions 12',
  async run(harness) {
    for (const pipelines_security of [false, true]) {
      const organizations = (fixture.organizations ?? []).map((one) => ({ ...one, pipelines_security }));
      await withService(harness, { ...fixture, organizations }, async (service) => {
        const driver = new Driver(service);
        const allowedByUser = { admin: true, member: false, stopper: pipelines_security };
        for (const [who, allowed] of Object.entries(allowedByUser)) {
          const token = service.tokens[`${who}@acme.test`] ?? null;
          const id = await driver.connect(who);
          const response = await driver.stop(id, { token });
          assert.equal(response.status, allowed ? 204 : 403, `${who} with pipelines_security ${pipelines_security}`);
          if (!allowed) assert.deepEqual(response.body, { message: 'Forbidden' });
          assert.equal((await driver.agent(id)).body.connection_state, allowed ? 'stopped' : 'connected');
          const unknown = await driver.stop('0190a000-0000-7000-8000-000000000000', { token });
          assert.equal(unknown.status, allowed ? 404 : 403, 'the right is checked before the record');
        }
      });
    }
  },
};

const invalidForce: Case<ServiceHarness> = {
  id: 'agents.stop-wrong-type',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const id = await driver.connect('one');
      for (const force of ['true', 1, [], {}, 'yes']) {
        const response = await driver.stop(id, { body: { force } });
        assert.deepEqual(
          [response.status, response.body],
          [422, { message: 'Validation failed: Force must be a boolean' }],
        );
      }
      await driver.runtime.agents.disconnect({ agent: id });
      assert.equal(
        (await driver.stop(id, { body: { force: 'true' } })).status,
        422,
        'the body is validated before the state',
      );
    }),
};

const concurrentStops: Case<ServiceHarness> = {
  id: 'agents.stop-at-once',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const id = await driver.connect('one');
      await driver.create();
      await driver.startNextJob(id);
      const responses = await Promise.all(Array.from({ length: 10 }, () => driver.stop(id)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, ...Array.from({ length: 9 }, () => 400)]);
    }),
};

export const stoppingAgents: readonly Case<ServiceHarness>[] = [
  idle,
  withForce,
  withoutForce,
  unconnected,
  rights,
  invalidForce,
  concurrentStops,
];
