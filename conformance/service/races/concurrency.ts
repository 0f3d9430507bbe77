import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { organizationFixture } from '../fixture.js';
import { fetchRecords, type OrganizationRecords, type RenderedRecord } from '../records.js';
import { type ServiceHarness, withService } from '../service.js';
import { withServicePair } from '../storage-wrappers.js';
import { apiCall, type Change, request } from './race.js';

const base = '/v2/organizations/acme';
const concurrency = 40;

/** Requests that run at the same time and do not conflict. */
interface ConcurrentOperation {
  readonly id: string;
  readonly cites: string;
  change(index: number, records: OrganizationRecords): Change;
  /** Reads the records that the requests created. */
  count(records: OrganizationRecords): number;
}

const concurrentOperations: readonly ConcurrentOperation[] = [
  {
    id: 'queues.create-many-at-once',
    cites: 'spec 4.4, decisions 8',
    change: (index, { clusters: [, spare] }) =>
      request('POST', `${base}/clusters/${spare.id}/queues`, { key: `k${index}` }),
    count: ({ clusters: [, spare] }) => spare.queues.filter(({ key }: RenderedRecord) => /^k\d+$/.test(key)).length,
  },
  {
    id: 'agent-tokens.create-many-at-once',
    cites: 'spec 4.4',
    change: (index, { clusters: [, spare] }) =>
      request('POST', `${base}/clusters/${spare.id}/tokens`, { description: `x${index}` }),
    count: ({ clusters: [, spare] }) =>
      spare.tokens.filter(({ description }: RenderedRecord) => /^x\d+$/.test(description)).length,
  },
  {
    id: 'clusters.create-many-at-once',
    cites: 'spec 4.3',
    change: (index) => request('POST', `${base}/clusters`, { name: `x${index}` }),
    count: ({ clusters }) => clusters.filter(({ name }) => /^x\d+$/.test(name)).length,
  },
  {
    id: 'agents.connect-many-at-once',
    cites: 'decisions 8',
    change: (index) => async (service) =>
      apiCall((api) =>
        api.runtime.agents.connect({
          token: service.agentTokens['acme spare'] ?? '',
          name: `x${index}`,
          hostname: 'h',
          ip_address: '10.0.0.1',
          version: '1',
        }),
      )(service),
    count: ({ agents }) => agents.filter(({ name }) => /^x\d+$/.test(name)).length,
  },
  {
    id: 'team-pipelines.add-many-at-once',
    cites: 'spec 4.7',
    change:
      (index, { teams: [team] }) =>
      async (service) => {
        const { id } = await service.api.provision.pipeline({
          organization: 'acme',
          slug: `x${index}`,
          repository: 'r',
          cluster: 'acme spare',
        });
        const body = { pipeline_id: id, access_level: 'read_only' };
        return request('POST', `${base}/teams/${team.id}/pipelines`, body)(service);
      },
    count: ({ teams: [team] }) =>
      team.pipelines.filter(({ pipeline_url: url }: RenderedRecord) => /\/x\d+$/.test(url)).length,
  },
];

const concurrencyCase = ({ id, cites, change, count }: ConcurrentOperation): Case<ServiceHarness> => ({
  id,
  cites,
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      const records = await fetchRecords(service, 'acme');
      const outcomes = await Promise.all(
        Array.from({ length: concurrency }, (_, index) => change(index, records)(service)),
      );
      for (const { status, message } of outcomes) assert.ok(status < 300, `${status} ${message}`);
      assert.equal(count(await fetchRecords(service, 'acme')), concurrency);
    }),
});

const concurrentJoins: Case<ServiceHarness> = {
  id: 'teams.many-users-join-at-once',
  cites: 'spec 2.9',
  run: (harness) =>
    withServicePair(harness, organizationFixture('acme'), async ({ service, storage }) => {
      const [team] = (await fetchRecords(service, 'acme')).teams;
      await service.send('PATCH', `${base}/teams/${team.id}`, { body: { is_default_team: true } });
      const users = Array.from({ length: concurrency }, (_, index) => ({
        name: `x${index}`,
        email: `x${index}@acme.test`,
        organizations: [{ organization: 'acme' }],
      }));
      await Promise.all(users.map((user) => service.api.provision.user(user)));
      assert.equal((await storage.select('teamMember.ofTeam', { team: team.id }, 100)).length, concurrency + 1);
    }),
};

/** Concurrent requests that do not conflict all succeed, and no change is lost. */
export const concurrencyCases: readonly Case<ServiceHarness>[] = [
  ...concurrentOperations.map(concurrencyCase),
  concurrentJoins,
];
