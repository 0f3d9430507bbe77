import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { type Records, recordsOf, type Shown } from '../records.js';
import { type ServiceHarness, withService } from '../service.js';
import { withPair } from '../storages.js';
import { organizationFixture } from '../world.js';
import { byHost, type Change, request } from './race.js';

const base = '/v2/organizations/acme';
const size = 40;

/** Something that many do at once, none of whom is in another one's way. */
interface Crowd {
  readonly id: string;
  readonly cites: string;
  one(place: number, records: Records): Change;
  /** What there is of it. */
  count(records: Records): number;
}

const crowds: readonly Crowd[] = [
  {
    id: 'queues.create-many-at-once',
    cites: 'spec 4.4, decisions 8',
    one: (place, { clusters: [, spare] }) =>
      request('POST', `${base}/clusters/${spare.id}/queues`, { key: `k${place}` }),
    count: ({ clusters: [, spare] }) => spare.queues.filter(({ key }: Shown) => /^k\d+$/.test(key)).length,
  },
  {
    id: 'agent-tokens.create-many-at-once',
    cites: 'spec 4.4',
    one: (place, { clusters: [, spare] }) =>
      request('POST', `${base}/clusters/${spare.id}/tokens`, { description: `x${place}` }),
    count: ({ clusters: [, spare] }) =>
      spare.tokens.filter(({ description }: Shown) => /^x\d+$/.test(description)).length,
  },
  {
    id: 'clusters.create-many-at-once',
    cites: 'spec 4.3',
    one: (place) => request('POST', `${base}/clusters`, { name: `x${place}` }),
    count: ({ clusters }) => clusters.filter(({ name }) => /^x\d+$/.test(name)).length,
  },
  {
    id: 'agents.connect-many-at-once',
    cites: 'decisions 8',
    one: (place) => async (service) =>
      byHost((host) =>
        host.agents.connect({
          token: service.agentTokens['acme spare'] ?? '',
          name: `x${place}`,
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
    one:
      (place, { teams: [team] }) =>
      async (service) => {
        const { id } = await service.api.host.provision.pipeline({
          organization: 'acme',
          slug: `x${place}`,
          repository: 'r',
          cluster: 'acme spare',
        });
        const body = { pipeline_id: id, access_level: 'read_only' };
        return request('POST', `${base}/teams/${team.id}/pipelines`, body)(service);
      },
    count: ({ teams: [team] }) => team.pipelines.filter(({ pipeline_url: url }: Shown) => /\/x\d+$/.test(url)).length,
  },
];

const crowdCase = ({ id, cites, one, count }: Crowd): Case<ServiceHarness> => ({
  id,
  cites,
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      const records = await recordsOf(service, 'acme');
      const outcomes = await Promise.all(Array.from({ length: size }, (_, place) => one(place, records)(service)));
      for (const { status, message } of outcomes) assert.ok(status < 300, `${status} ${message}`);
      assert.equal(count(await recordsOf(service, 'acme')), size);
    }),
});

const joining: Case<ServiceHarness> = {
  id: 'teams.many-users-join-at-once',
  cites: 'spec 2.9',
  run: (harness) =>
    withPair(harness, organizationFixture('acme'), async ({ service, storage }) => {
      const [team] = (await recordsOf(service, 'acme')).teams;
      await service.send('PATCH', `${base}/teams/${team.id}`, { body: { is_default_team: true } });
      const users = Array.from({ length: size }, (_, place) => ({
        name: `x${place}`,
        email: `x${place}@acme.test`,
        organizations: [{ organization: 'acme' }],
      }));
      await Promise.all(users.map((user) => service.api.host.provision.user(user)));
      assert.equal((await storage.select('teamMember.ofTeam', { team: team.id }, 100)).length, size + 1);
    }),
};

/** Many at once: all of them are served, and nothing is lost. */
export const manyAtOnce: readonly Case<ServiceHarness>[] = [...crowds.map(crowdCase), joining];
