import assert from 'node:assert/strict';
import { isWellFormed } from '../../../core/index.js';
import type { Case } from '../../case.js';
import { organizationFixture } from '../fixture.js';
import { expectAllRejected, type InvalidBody, textOfLength } from '../invalid-bodies.js';
import { fetchRecords, snapshot } from '../records.js';
import { type Service, type ServiceHarness, withService } from '../service.js';
import { withServicePair } from '../storage-wrappers.js';

const acme = organizationFixture('acme');

const clustersForTokens = async (service: Service) => {
  const [main, spare] = (await fetchRecords(service, 'acme')).clusters;
  return { main, spare, base: `/v2/organizations/acme/clusters/${spare.id}/tokens` };
};

const connect = (service: Service, token: string, ip_address = '10.0.0.1') =>
  service.api.runtime.agents.connect({ token, name: 'a', hostname: 'h', ip_address, version: '1' });

const shownOnce: Case<ServiceHarness> = {
  id: 'agent-tokens.shown-once',
  cites: 'spec 2.8, spec 4.4, spec 5.7, decisions 4',
  run: (harness) =>
    withServicePair(harness, acme, async ({ service, storage }) => {
      const { spare, base } = await clustersForTokens(service);
      const response = await service.send('POST', base, { body: { description: 'For the rack' } });
      assert.equal(response.status, 201);
      const { id, token, created_by, ...rest } = response.body;
      assert.deepEqual(rest, {
        graphql_id: Buffer.from(`ClusterToken---${id}`).toString('base64'),
        description: 'For the rack',
        allowed_ip_addresses: null,
        url: `https://api.ci.test${base}/${id}`,
        cluster_url: spare.url,
        created_at: '2026-01-05T09:00:00.000Z',
      });
      assert.equal(created_by.email, 'admin@acme.test');
      assert.ok(isWellFormed('mrt', token), token);
      const other = await service.send('POST', base, { body: { description: 'For the rack' } });
      assert.equal(other.status, 201, 'descriptions are not unique');
      assert.notEqual(other.body.token, token);
      const { token: _, ...rendered } = response.body;
      const later = [
        await service.send('GET', `${base}/${id}`),
        await service.send('PUT', `${base}/${id}`, { body: { description: 'For the rack' } }),
        await service.send('PATCH', `${base}/${id}`, { body: { token: 'mine' } }),
      ];
      for (const { body } of later) assert.deepEqual(body, rendered);
      const list = await service.send('GET', base);
      assert.deepEqual(
        list.body.filter((one: { id: string }) => one.id === id),
        [rendered],
      );
      const agent = await connect(service, token);
      const seen = [
        list.text,
        await snapshot(service, 'acme'),
        (await service.send('GET', `/v2/organizations/acme/agents/${agent.id}`)).text,
        JSON.stringify(await storage.load('agentToken.byDigest', [id])),
        JSON.stringify(await storage.select('agentToken.inCluster', { cluster: spare.id }, 100)),
        JSON.stringify(await storage.events(0, 1_000)),
        JSON.stringify(agent),
      ];
      const secret = token.split('_')[1];
      for (const text of seen) assert.ok(!text.includes(secret), `the token is in ${text.slice(0, 200)}`);
    }),
};

const malformed = 'Validation failed: Allowed ip addresses must be IPv4 addresses or CIDR blocks';
const badAddresses = [
  'x',
  '10.0.0.0/33',
  '10.0.0.256',
  '10.0.0.0/8 x',
  '::1',
  '10.0.0.0/-1',
  '10.0.0/8',
  '1.2.3.4/08',
  '10.0.0.1,10.0.0.2',
];

const invalidBodies: readonly InvalidBody[] = [
  [{ description: '' }, "Validation failed: Description can't be blank"],
  [{ description: '  ' }, "Validation failed: Description can't be blank"],
  [{ description: null }, "Validation failed: Description can't be blank"],
  [{ description: 1 }, 'Validation failed: Description must be a string'],
  [{ description: textOfLength(10_001) }, 'Validation failed: Description is too long'],
  [{ description: 'a\0' }, 'Validation failed: Description has a character that cannot be stored'],
  ...badAddresses.map((text): InvalidBody => [{ description: 'd', allowed_ip_addresses: text }, malformed]),
  [{ description: 'd', allowed_ip_addresses: ['10.0.0.1', 'x'] }, malformed],
  ...[5, {}, [5], [null], true].map(
    (addresses): InvalidBody => [
      { description: 'd', allowed_ip_addresses: addresses },
      'Validation failed: Allowed ip addresses must be a string of IPv4 addresses and CIDR blocks',
    ],
  ),
  [
    { allowed_ip_addresses: 5, description: '' },
    "Validation failed: Description can't be blank, Allowed ip addresses must be a string of IPv4 addresses and CIDR blocks",
  ],
];

const validation: Case<ServiceHarness> = {
  id: 'agent-tokens.validation',
  cites: 'spec 7, decisions 8, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { spare, base } = await clustersForTokens(service);
      const before = await snapshot(service, 'acme');
      await expectAllRejected(service, ['POST'], base, [
        [{}, "Validation failed: Description can't be blank"],
        ...invalidBodies,
      ]);
      await expectAllRejected(service, ['PUT', 'PATCH'], `${base}/${spare.tokens[0].id}`, invalidBodies);
      assert.equal(await snapshot(service, 'acme'), before);
    }),
};

/** Values of `allowed_ip_addresses`: as sent, as rendered, with addresses that they allow and refuse. */
const admissions: readonly {
  sent: unknown;
  rendered: string | null;
  allowed: readonly string[];
  refused: readonly string[];
}[] = [
  { sent: null, rendered: null, allowed: ['10.0.0.1', '::1', '8.8.8.8'], refused: [] },
  { sent: '', rendered: null, allowed: ['8.8.8.8'], refused: [] },
  { sent: [], rendered: null, allowed: ['8.8.8.8'], refused: [] },
  { sent: '0.0.0.0/0', rendered: '0.0.0.0/0', allowed: ['8.8.8.8', '::ffff:8.8.8.8'], refused: ['::1', 'x', ''] },
  {
    sent: '10.1.0.0/16  192.168.7.9',
    rendered: '10.1.0.0/16  192.168.7.9',
    allowed: ['10.1.0.0', '10.1.255.255', '192.168.7.9', '::ffff:10.1.2.3'],
    refused: ['10.0.255.255', '10.2.0.0', '192.168.7.8', '::ffff:10.2.0.0', '::1'],
  },
  {
    sent: ['10.1.2.3/32', '172.16.0.0/12'],
    rendered: '10.1.2.3/32 172.16.0.0/12',
    allowed: ['10.1.2.3', '172.31.255.255'],
    refused: ['10.1.2.4', '172.32.0.0'],
  },
];

const admission: Case<ServiceHarness> = {
  id: 'agent-tokens.admit-by-address',
  cites: 'spec 2.8, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { base } = await clustersForTokens(service);
      const first = await service.send('POST', base, { body: { description: 'd', allowed_ip_addresses: '1.2.3.4' } });
      assert.equal(first.body.allowed_ip_addresses, '1.2.3.4');
      const { id, token } = first.body;
      for (const { sent, rendered, allowed, refused } of admissions) {
        const body = { description: 'd', allowed_ip_addresses: sent };
        const created = await service.send('POST', base, { body });
        assert.equal(created.body.allowed_ip_addresses, rendered);
        const updated = await service.send('PUT', `${base}/${id}`, { body: { allowed_ip_addresses: sent } });
        assert.deepEqual(
          [updated.status, updated.body.allowed_ip_addresses, updated.body.description],
          [200, rendered, 'd'],
        );
        for (const text of [token, created.body.token]) {
          for (const address of allowed)
            assert.equal((await connect(service, text, address)).connection_state, 'connected');
          for (const address of refused)
            await assert.rejects(
              connect(service, text, address),
              { data: { code: 'agent.address_not_allowed' } },
              address,
            );
        }
      }
      const updated = await service.send('PATCH', `${base}/${id}`, { body: { description: 'other' } });
      assert.equal(
        updated.body.allowed_ip_addresses,
        '10.1.2.3/32 172.16.0.0/12',
        'a field that is not sent keeps its value',
      );
    }),
};

const revoked: Case<ServiceHarness> = {
  id: 'agent-tokens.revoked-connect-nobody',
  cites: 'spec 4.4, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { main, spare, base } = await clustersForTokens(service);
      const created = await service.send('POST', base, { body: { description: 'd' } });
      const { id, token } = created.body;
      const agent = await connect(service, token);
      const deleted = await service.send('DELETE', `${base}/${id}`);
      assert.deepEqual([deleted.status, deleted.text], [204, '']);
      await assert.rejects(connect(service, token), { data: { code: 'agent_token.unknown' } });
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const response = await service.send(method, `${base}/${id}`);
        assert.deepEqual([response.status, response.body], [404, { message: 'No cluster token found' }], method);
      }
      const agentResponse = await service.send('GET', `/v2/organizations/acme/agents/${agent.id}`);
      assert.equal(agentResponse.body.connection_state, 'connected', 'connected agents stay connected');
      assert.equal((await service.api.runtime.agents.heartbeat({ agent: agent.id })).connection_state, 'connected');
      const own = service.agentTokens['acme cluster'] ?? '';
      assert.equal((await connect(service, own)).cluster_id, main.id, 'other tokens still work');
      assert.deepEqual((await service.send('GET', base)).body, spare.tokens);
    }),
};

/** Agent tokens (spec 2.8, 4.4, 5.7). */
export const agentTokens: readonly Case<ServiceHarness>[] = [shownOnce, validation, admission, revoked];
