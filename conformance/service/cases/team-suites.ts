import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { expectAllRejected, type InvalidBody } from '../invalid-bodies.js';
import { fetchRecords, snapshot } from '../records.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const twoOrganizations = mergeFixtures(organizationFixture('acme'), organizationFixture('rivals'));
const teamsPath = '/v2/organizations/acme/teams';
const uuid = '0190a000-0000-7000-8000-000000000000';

/** The first team, the suite that it has, and one that it does not have. */
const teamAndSuites = async (service: Service) => {
  const [team, other] = (await fetchRecords(service, 'acme')).teams;
  return { team, held: team.suites[0].suite_id, free: other.suites[0].suite_id, one: `${teamsPath}/${team.id}` };
};

const created: Case<ServiceHarness> = {
  id: 'team-suites.create-under-all-paths',
  cites: 'spec 2.10, spec 4.6, decisions 1, decisions 9',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { one, free } = await teamAndSuites(service);
      for (const path of ['/suite/', '/suite', '/suites', '/suites/']) {
        service.clock.advance(1_000);
        const body = {
          suite_id: path === '/suites' ? free.toUpperCase() : free,
          access_level: ['edit', 'read', 'edit'],
        };
        const response = await service.send('POST', one + path, { body });
        assert.equal(response.status, 201, path);
        assert.deepEqual(response.body, {
          suite_id: free,
          suite_url: 'https://api.ci.test/v2/analytics/organizations/acme/suites/acme-other',
          created_at: new Date(service.clock.now()).toISOString(),
          access_level: ['read', 'edit'],
        });
        assert.deepEqual((await service.send('GET', `${one}/suites/${free}`)).body, response.body);
        assert.deepEqual((await service.send('GET', `${one}/suites/${free.toUpperCase()}/`)).body, response.body);
        assert.deepEqual((await service.send('GET', `${one}/suites`)).body.at(-1), response.body);
        const deleted = await service.send('DELETE', `${one}/suites/${free}${path.endsWith('/') ? '/' : ''}`);
        assert.deepEqual([deleted.status, deleted.text], [204, '']);
        for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
          const late = await service.send(method, `${one}/suites/${free}`);
          assert.deepEqual([late.status, late.body], [404, { message: 'No team suite found' }], method);
        }
      }
    }),
};

const levels: readonly InvalidBody[] = [
  [{ access_level: [] }, "Validation failed: Access level can't be blank"],
  [{ access_level: null }, "Validation failed: Access level can't be blank"],
  [{}, "Validation failed: Access level can't be blank"],
  ...['write', '', 'READ', ['write'], ['read', 'x'], [['read']], 5, { read: true }, [null]].map(
    (access_level): InvalidBody => [{ access_level }, 'Validation failed: Access level must be made of read and edit'],
  ),
];

const validation: Case<ServiceHarness> = {
  id: 'team-suites.validation',
  cites: 'spec 7, decisions 9, decisions 12',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { one, held, free } = await teamAndSuites(service);
      const theirs = (await fetchRecords(service, 'rivals')).teams[0].suites[0].suite_id;
      const before = await snapshot(service, 'acme');
      const read = { access_level: ['read'] };
      await expectAllRejected(service, ['POST'], `${one}/suite`, [
        [{}, "Validation failed: Suite can't be blank, Access level can't be blank"],
        [read, "Validation failed: Suite can't be blank"],
        [{ suite_id: null, ...read }, "Validation failed: Suite can't be blank"],
        [{ suite_id: 5, ...read }, 'Validation failed: Suite must be a string'],
        ...[uuid, 'x', '', 'acme-suite', theirs].map(
          (suite_id): InvalidBody => [{ suite_id, ...read }, 'Validation failed: Suite must exist'],
        ),
        [{ suite_id: held, ...read }, 'Validation failed: Suite has already been added to this team'],
        [
          { suite_id: held.toUpperCase(), access_level: 'edit' },
          'Validation failed: Suite has already been added to this team',
        ],
        ...levels.map(([body, message]): InvalidBody => [{ suite_id: free, ...(body as object) }, message]),
      ]);
      await expectAllRejected(service, ['PATCH', 'PUT'], `${one}/suites/${held}`, levels);
      assert.equal(await snapshot(service, 'acme'), before);
    }),
};

const updated: Case<ServiceHarness> = {
  id: 'team-suites.access-levels',
  cites: 'spec 2.10, spec 4.6, decisions 1, decisions 9',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { one, held, free, team } = await teamAndSuites(service);
      const known = team.suites[0];
      for (const [sent, stored] of [
        ['edit', ['edit']],
        [['read'], ['read']],
        ['read', ['read']],
        [
          ['edit', 'read'],
          ['read', 'edit'],
        ],
        [['edit', 'edit'], ['edit']],
      ] as const) {
        for (const method of ['PATCH', 'PUT']) {
          const body = { access_level: sent, suite_id: free };
          const response = await service.send(method, `${one}/suites/${held}`, { body });
          assert.deepEqual([response.status, response.body], [200, { ...known, access_level: stored }]);
          assert.deepEqual((await service.send('GET', `${one}/suites/${held}`)).body, response.body);
        }
        const created = await service.send('POST', `${one}/suite/`, { body: { suite_id: free, access_level: sent } });
        assert.deepEqual(created.body.access_level, stored);
        await service.send('DELETE', `${one}/suites/${free}`);
      }
    }),
};

const unpaged: Case<ServiceHarness> = {
  id: 'team-suites.unpaged-unless-asked',
  cites: 'spec 4.9, decisions 3',
  run: (harness) => {
    const at = { organization: 'acme' };
    const suites = Array.from({ length: 120 }, (_, index) => ({ ...at, slug: `s${index}` }));
    const access = suites.map(({ slug }) => ({ suite: slug, access_level: ['read'] as const }));
    const acme = organizationFixture('acme');
    const fixture = {
      ...acme,
      suites: [...(acme.suites ?? []), ...suites],
      teams: [{ ...at, name: 'Big', suites: access }],
    };
    return withService(harness, fixture, async (service) => {
      const [team] = (await service.send('GET', teamsPath)).body;
      const list = (query: string) => service.send('GET', `${teamsPath}/${team.id}/suites${query}`);
      const whole = await list('');
      assert.deepEqual([whole.body.length, whole.headers.link], [120, undefined]);
      const page = await list('?page=2');
      assert.deepEqual(page.body, whole.body.slice(30, 60));
      assert.match(page.headers.link ?? '', /rel="first".*rel="prev".*rel="next".*rel="last"/);
      const large = await list('?per_page=100');
      assert.deepEqual(large.body, whole.body.slice(0, 100));
      assert.equal((await list('?per_page=0')).status, 400);
    });
  },
};

/** Team suites (spec 2.10, 4.6). */
export const teamSuites: readonly Case<ServiceHarness>[] = [created, validation, updated, unpaged];
