import assert from 'node:assert/strict';
import { isApiError } from '../../../core/index.js';
import type { Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { organizationFixture } from '../fixture.js';
import { type ServiceHarness, withService } from '../service.js';

const list = '/v2/organizations/acme/agents';

const listed: Case<ServiceHarness> = {
  id: 'agents.list',
  cites: 'spec 3.2, spec 4.1, decisions 5',
  run: (harness) =>
    withService(harness, pipelineFixture({}), async (service) => {
      const driver = new Driver(service);
      const names = async (query = '') =>
        (await service.send('GET', `${list}?${query}`)).body.map((agent: { name: string }) => agent.name);
      assert.deepEqual(await names(), []);
      const one = await driver.connect('one', { hostname: 'a', version: '3.1' });
      service.clock.advance(1);
      await driver.connect('two', { hostname: 'a', version: '3.10' });
      service.clock.advance(1);
      await driver.connect('One', { hostname: 'b', version: '3.1' });
      await driver.runtime.agents.register({
        token: service.agentTokens['acme cluster'] ?? '',
        name: 'never',
        hostname: 'a',
        ip_address: '10.0.0.1',
        version: '3.1',
      });
      assert.deepEqual(await names(), ['One', 'two', 'one'], 'newest first, only connected agents');
      assert.deepEqual(await names('name=one'), ['one']);
      assert.deepEqual(await names('hostname=a'), ['two', 'one']);
      assert.deepEqual(await names('version=3.1'), ['One', 'one'], 'the filter compares the whole version');
      assert.deepEqual(await names('hostname=a&version=3.1'), ['one']);
      for (const query of ['name=', 'name=on', 'name=one%20', 'name=%25', 'hostname=A'])
        assert.deepEqual(await names(query), [], query);
      await driver.runtime.agents.disconnect({ agent: one });
      assert.deepEqual(await names('name=one'), []);
      assert.equal(
        (await driver.agent(one)).body.connection_state,
        'disconnected',
        'a disconnected agent can still be read',
      );
    }),
};

const shown: Case<ServiceHarness> = {
  id: 'agents.get',
  cites: 'spec 2.2, decisions 2, decisions 4',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ command: 'make' }] }), async (service) => {
      const driver = new Driver(service);
      const id = await driver.connect('one', { meta_data: ['os=linux', 'arch='], version: '7' });
      const { body } = await driver.agent(id);
      assert.deepEqual(
        [body.job, body.last_job_finished_at, body.priority, body.meta_data, body.version, body.ip_address],
        [null, null, null, ['os=linux', 'arch='], '7', '10.0.0.1'],
      );
      assert.equal(Buffer.from(body.graphql_id, 'base64').toString(), `Agent---${id}`);
      assert.equal(body.url, `https://api.ci.test/v2/organizations/acme/agents/${id}`);
      assert.deepEqual((await driver.agent(id.toUpperCase())).body, body, 'ids are case-insensitive');
      for (const other of ['x', id.slice(1), `${id}0`, '0190a000-0000-7000-8000-000000000000', '%00']) {
        const response = await driver.agent(other);
        assert.deepEqual([response.status, response.body], [404, { message: 'No agent found' }], other);
      }
      await driver.create();
      const job = await driver.startNextJob(id);
      assert.deepEqual(
        [(await driver.agent(id)).body.job.id, (await driver.agent(id)).body.job.state],
        [job, 'running'],
      );
      service.clock.advance(5_000);
      await driver.runtime.jobs.finish({ job, exit_status: 0 });
      const after = (await driver.agent(id)).body;
      assert.deepEqual([after.job, after.last_job_finished_at], [null, '2026-01-05T09:00:05.000Z']);
    }),
};

/** The status with which a runtime call is refused, or 0 if it succeeds. */
async function errorStatusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 0;
  } catch (error) {
    if (isApiError(error)) return error.output.statusCode;
    throw error;
  }
}

const addresses: Case<ServiceHarness> = {
  id: 'agents.connect-from-allowed-addresses',
  cites: 'spec 2.8, decisions 8',
  run(harness) {
    const fixture = organizationFixture('acme');
    const [token] = fixture.agent_tokens ?? [];
    const allowed = '10.1.0.0/16 192.0.2.7';
    const agent_tokens = token ? [{ ...token, allowed_ip_addresses: allowed }] : [];
    return withService(harness, { ...fixture, agent_tokens }, async (service) => {
      const driver = new Driver(service);
      for (const ip_address of ['10.1.0.0', '10.1.255.255', '192.0.2.7', '::ffff:10.1.2.3'])
        assert.equal(await errorStatusOf(driver.connect('in', { ip_address })), 0, ip_address);
      for (const ip_address of ['10.0.255.255', '10.2.0.0', '192.0.2.8', '::1', '2001:db8::1', 'unknown', ''])
        assert.equal(await errorStatusOf(driver.connect('out', { ip_address })), 403, ip_address);
    });
  },
};

const invalidAgentTokens: Case<ServiceHarness> = {
  id: 'agents.connect-with-agent-tokens-only',
  cites: 'spec 5.7',
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      const driver = new Driver(service);
      const known = service.agentTokens['acme cluster'] ?? '';
      for (const token of ['', 'x', known.slice(0, -1), `${known} `, service.tokens['admin@acme.test'] ?? ''])
        assert.equal(await errorStatusOf(driver.connect('x', { token })), 401, token);
      assert.equal(await errorStatusOf(driver.connect('x', { meta_data: ['queue=nothing'] })), 404);
      assert.equal(await errorStatusOf(driver.connect('x', { meta_data: ['nonsense'] })), 422);
      assert.equal(await errorStatusOf(driver.connect('x', { name: 'a\0' })), 422);
    }),
};

const lostAgents: Case<ServiceHarness> = {
  id: 'agents.lost-without-a-sign-of-life',
  cites: 'decisions 5, decisions 6',
  run: (harness) =>
    withService(harness, pipelineFixture({ steps: [{ command: 'make' }, { command: 'make' }] }), async (service) => {
      const driver = new Driver(service);
      const [alive, silent, idle] = [await driver.connect('a'), await driver.connect('b'), await driver.connect('c')];
      await driver.create();
      await driver.startNextJob(silent);
      const accepted = await driver.runtime.jobs.accept({ agent: idle });
      service.clock.advance(120_000);
      await driver.runtime.agents.heartbeat({ agent: alive });
      service.clock.advance(60_000);
      assert.deepEqual(await driver.runtime.sweep(), { agents: 0, jobs: 0 }, 'not before the timeout');
      service.clock.advance(1);
      assert.deepEqual(await driver.runtime.sweep(), { agents: 2, jobs: 0 });
      const states = await Promise.all(
        [alive, silent, idle].map(async (id) => (await driver.agent(id)).body.connection_state),
      );
      assert.deepEqual(states, ['connected', 'lost', 'lost']);
      const { body } = await driver.build(1);
      const [failed, released] = body.jobs;
      assert.deepEqual(
        [body.state, failed.state, failed.exit_status, failed.agent.id],
        ['failing', 'failed', -1, silent],
      );
      assert.deepEqual([released.id, released.state, released.agent], [accepted?.id, 'scheduled', null]);
      assert.deepEqual(await driver.runtime.sweep(), { agents: 0, jobs: 0 });
      assert.equal(await driver.connect('b', { id: silent.toUpperCase() }), silent);
      assert.equal((await driver.agent(silent)).body.job, null, 'an agent that reconnects has no job');
    }),
};

export const agents: readonly Case<ServiceHarness>[] = [listed, shown, addresses, invalidAgentTokens, lostAgents];
