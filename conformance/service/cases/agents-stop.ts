import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { Crew, pipelineFixture } from '../crew.js';
import { type ServiceHarness, withService } from '../service.js';

const world = pipelineFixture({ steps: [{ command: 'make' }, { command: 'make test' }] });
const refused = { message: 'Can only stop connected agents' };

const idle: Case<ServiceHarness> = {
  id: 'agents.stop-idle',
  cites: 'spec 3.2, spec 4.1, decisions 5',
  run: (harness) =>
    withService(harness, world, async (service) => {
      const crew = new Crew(service);
      for (const body of [undefined, {}, { force: true }, { force: false }, { force: null }]) {
        const id = await crew.connect('one');
        assert.equal((await crew.stop(id, { body })).status, 204);
        assert.equal((await crew.agent(id)).body.connection_state, 'stopped');
        const again = await crew.stop(id, { body });
        assert.deepEqual([again.status, again.body], [400, refused]);
      }
    }),
};

const busy: Case<ServiceHarness> = {
  id: 'agents.stop-with-force',
  cites: 'spec 3.2, spec 4.1, decisions 5',
  async run(harness) {
    for (const body of [undefined, {}, { force: true }, { force: null }]) {
      await withService(harness, world, async (service) => {
        const crew = new Crew(service);
        const [one, other] = [await crew.connect('one'), await crew.connect('other')];
        await crew.create();
        const job = await crew.begin(one);
        await crew.begin(other);
        service.clock.advance(1_000);
        assert.equal((await crew.stop(one, { body })).status, 204);
        const agent = (await crew.agent(one)).body;
        assert.deepEqual(
          [agent.connection_state, agent.job, agent.last_job_finished_at],
          ['stopped', null, '2026-01-05T09:00:01.000Z'],
        );
        const build = (await crew.build(1)).body;
        assert.deepEqual([build.state, build.finished_at], ['canceled', '2026-01-05T09:00:01.000Z']);
        assert.deepEqual(await crew.states(1), ['canceled', 'canceled']);
        const rest = (await crew.agent(other)).body;
        assert.deepEqual([rest.connection_state, rest.job], ['connected', null], 'the other agent is free again');
        await crew.host.jobs.finish({ job, exit_status: 0 });
        assert.equal((await crew.states(1))[0], 'canceled', 'a late report changes nothing');
      });
    }
  },
};

const gently: Case<ServiceHarness> = {
  id: 'agents.stop-without-force',
  cites: 'spec 3.2, decisions 5',
  run: (harness) =>
    withService(harness, world, async (service) => {
      const crew = new Crew(service);
      const id = await crew.connect('one');
      await crew.create();
      const job = await crew.begin(id);
      assert.equal((await crew.stop(id, { body: { force: false } })).status, 204);
      const stopping = (await crew.agent(id)).body;
      assert.deepEqual([stopping.connection_state, stopping.job.id], ['stopping', job]);
      assert.equal((await crew.build(1)).body.state, 'running', 'its build goes on');
      for (const body of [{ force: false }, { force: true }])
        assert.deepEqual((await crew.stop(id, { body })).body, refused, 'it is not connected any more');
      await crew.host.jobs.finish({ job, exit_status: 0 });
      const stopped = (await crew.agent(id)).body;
      assert.deepEqual([stopped.connection_state, stopped.job], ['stopped', null]);
      await assert.rejects(crew.host.jobs.accept({ agent: id }), { status: 422 });
      assert.deepEqual(await crew.states(1), ['passed', 'scheduled']);
      const other = await crew.connect('other');
      const given = await crew.host.jobs.accept({ agent: other });
      await crew.stop(other, { body: { force: false } });
      await crew.host.jobs.release({ job: given?.id ?? '' });
      const { connection_state, job: none } = (await crew.agent(other)).body;
      assert.deepEqual([connection_state, none], ['stopped', null], 'after giving its job back');
      assert.deepEqual(await crew.states(1), ['passed', 'scheduled']);
    }),
};

const others: Case<ServiceHarness> = {
  id: 'agents.stop-unconnected',
  cites: 'spec 3.2, spec 7, decisions 5',
  run: (harness) =>
    withService(harness, world, async (service) => {
      const crew = new Crew(service);
      const gone = await crew.connect('gone');
      await crew.host.agents.disconnect({ agent: gone });
      const silent = await crew.connect('silent');
      service.clock.advance(3_600_000);
      await crew.host.sweep();
      const about = { name: 'never', hostname: 'h', ip_address: '10.0.0.1', version: '1' };
      const token = service.agentTokens['acme cluster'] ?? '';
      const never = (await crew.host.agents.register({ token, ...about })).id;
      for (const [id, state] of [
        [gone, 'disconnected'],
        [silent, 'lost'],
        [never, 'never_connected'],
      ] as const) {
        const answer = await crew.stop(id);
        assert.deepEqual([answer.status, answer.body], [400, refused], state);
        assert.equal((await crew.agent(id)).body.connection_state, state);
      }
    }),
};

const rights: Case<ServiceHarness> = {
  id: 'agents.stop-rights',
  cites: 'spec 4.1, spec 5.5, decisions 2, decisions 12',
  async run(harness) {
    for (const pipelines_security of [false, true]) {
      const organizations = (world.organizations ?? []).map((one) => ({ ...one, pipelines_security }));
      await withService(harness, { ...world, organizations }, async (service) => {
        const crew = new Crew(service);
        const may = { admin: true, member: false, stopper: pipelines_security };
        for (const [who, allowed] of Object.entries(may)) {
          const token = service.tokens[`${who}@acme.test`] ?? null;
          const id = await crew.connect(who);
          const answer = await crew.stop(id, { token });
          assert.equal(answer.status, allowed ? 204 : 403, `${who} with pipelines_security ${pipelines_security}`);
          if (!allowed) assert.deepEqual(answer.body, { message: 'Forbidden' });
          assert.equal((await crew.agent(id)).body.connection_state, allowed ? 'stopped' : 'connected');
          const unknown = await crew.stop('0190a000-0000-7000-8000-000000000000', { token });
          assert.equal(unknown.status, allowed ? 404 : 403, 'the right is looked at before the record');
        }
      });
    }
  },
};

const wrong: Case<ServiceHarness> = {
  id: 'agents.stop-wrong-type',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, world, async (service) => {
      const crew = new Crew(service);
      const id = await crew.connect('one');
      for (const force of ['true', 1, [], {}, 'yes']) {
        const answer = await crew.stop(id, { body: { force } });
        assert.deepEqual(
          [answer.status, answer.body],
          [422, { message: 'Validation failed: Force must be a boolean' }],
        );
      }
      await crew.host.agents.disconnect({ agent: id });
      assert.equal((await crew.stop(id, { body: { force: 'true' } })).status, 422, 'before the state is looked at');
    }),
};

const race: Case<ServiceHarness> = {
  id: 'agents.stop-at-once',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, world, async (service) => {
      const crew = new Crew(service);
      const id = await crew.connect('one');
      await crew.create();
      await crew.begin(id);
      const answers = await Promise.all(Array.from({ length: 10 }, () => crew.stop(id)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array.from({ length: 9 }, () => 400)]);
    }),
};

export const stoppingAgents: readonly Case<ServiceHarness>[] = [idle, busy, gently, others, rights, wrong, race];
