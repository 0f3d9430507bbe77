import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { expectAllRejected, type InvalidBody, textOfLength } from '../invalid-bodies.js';
import { fetchRecords, snapshot } from '../records.js';
import { type Fixture, type Service, type ServiceHarness, withService } from '../service.js';
import { withServicePair } from '../storage-wrappers.js';

const acme = organizationFixture('acme');
const base = '/v2/organizations/acme/teams';

const validBody = {
  name: 'Übergröße & Co.',
  description: '',
  privacy: 'visible',
  is_default_team: true,
  default_member_role: 'maintainer',
  members_can_create_pipelines: false,
};

const created: Case<ServiceHarness> = {
  id: 'teams.create',
  cites: 'spec 2.9, spec 4.5, decisions 4, decisions 9, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const response = await service.send('POST', base, { body: validBody });
      assert.equal(response.status, 201);
      const { id, created_by, ...rest } = response.body;
      assert.deepEqual(rest, {
        graphql_id: Buffer.from(`Team---${id}`).toString('base64'),
        slug: 'ubergroße-co',
        default: true,
        created_at: '2026-01-05T09:00:00.000Z',
        ...validBody,
      });
      assert.equal(created_by.email, 'admin@acme.test');
      assert.deepEqual(
        (await service.send('GET', `${base}/${id}`)).body,
        response.body,
        'all responses have the same representation',
      );
      assert.deepEqual((await service.send('GET', base)).body.at(-1), response.body);
      const member = await service.send('GET', `${base}?user_id=${created_by.id}`);
      assert.ok(!member.text.includes(id), 'the creator of a team is not a member');
    }),
};

const fields: readonly InvalidBody[] = [
  [{ name: '' }, "Validation failed: Name can't be blank"],
  [{ name: ' ' }, "Validation failed: Name can't be blank"],
  [{ name: null }, "Validation failed: Name can't be blank"],
  [{ name: 7 }, 'Validation failed: Name must be a string'],
  [{ name: textOfLength(256) }, 'Validation failed: Name is too long'],
  [{ name: '!?' }, 'Validation failed: Name must have a letter or a digit'],
  [{ name: 'secret TEAM of "acme"' }, 'Validation failed: Name has already been taken'],
  [{ description: 5 }, 'Validation failed: Description must be a string'],
  [{ description: textOfLength(10_001) }, 'Validation failed: Description is too long'],
  [{ description: '\ud800' }, 'Validation failed: Description has a character that cannot be stored'],
  [{ privacy: 'open' }, 'Validation failed: Privacy must be one of visible, secret'],
  [{ privacy: 1 }, 'Validation failed: Privacy must be a string'],
  [{ is_default_team: 'yes' }, 'Validation failed: Is default team must be a boolean'],
  [{ default_member_role: 'admin' }, 'Validation failed: Default member role must be one of member, maintainer'],
  [{ members_can_create_pipelines: 0 }, 'Validation failed: Members can create pipelines must be a boolean'],
  [
    { members_can_create_pipelines: 0, privacy: 'open', name: '' },
    "Validation failed: Name can't be blank, Privacy must be one of visible, secret, Members can create pipelines must be a boolean",
  ],
];

const validation: Case<ServiceHarness> = {
  id: 'teams.validation',
  cites: 'spec 4.5, spec 7, decisions 9, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const before = await snapshot(service, 'acme');
      const blank = (field: string) => `${field} can't be blank`;
      const names = {
        name: 'Name',
        description: 'Description',
        privacy: 'Privacy',
        is_default_team: 'Is default team',
        default_member_role: 'Default member role',
        members_can_create_pipelines: 'Members can create pipelines',
      };
      await expectAllRejected(service, ['POST'], base, [
        [{}, `Validation failed: ${Object.values(names).map(blank).join(', ')}`],
        ...Object.entries(names).flatMap(([field, name]): InvalidBody[] => [
          [{ ...validBody, [field]: undefined }, `Validation failed: ${blank(name)}`],
          [{ ...validBody, [field]: null }, `Validation failed: ${blank(name)}`],
        ]),
        ...fields.map(([body, message]): InvalidBody => [{ ...validBody, ...(body as object) }, message]),
      ]);
      const [team] = JSON.parse(before).teams;
      await expectAllRejected(service, ['PATCH', 'PUT'], `${base}/${team.id}`, fields);
      assert.equal(await snapshot(service, 'acme'), before);
    }),
};

const updated: Case<ServiceHarness> = {
  id: 'teams.update',
  cites: 'spec 4.5, decisions 1, decisions 9, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const [team] = (await fetchRecords(service, 'acme')).teams;
      const one = `${base}/${team.id}`;
      let known = (await service.send('GET', one)).body;
      for (const [method, sent, follows] of [
        ['PATCH', {}, {}],
        ['PUT', { description: 'About' }, {}],
        ['PATCH', { name: 'Crème brûlée!' }, { slug: 'creme-brulee' }],
        ['PUT', { name: 'CREME - BRULEE' }, { slug: 'creme-brulee' }],
        ['PATCH', { is_default_team: true }, { default: true }],
        ['PATCH', { default_member_role: 'maintainer', members_can_create_pipelines: true }, {}],
        ['PUT', { ...validBody, name: '2nd' }, { slug: '2nd', default: true }],
        ['PATCH', { is_default_team: false, description: '' }, { default: false }],
      ] as const) {
        known = { ...known, ...sent, ...follows };
        const response = await service.send(method, one, { body: sent });
        assert.deepEqual([response.status, response.body], [200, known], `${method} ${JSON.stringify(sent)}`);
        assert.deepEqual((await service.send('GET', one)).body, known);
      }
      const freed = await service.send('POST', base, { body: { ...validBody, name: 'Team of acme' } });
      assert.deepEqual([freed.status, freed.body.slug], [201, 'team-of-acme'], 'a former slug can be used again');
      const taken = await service.send('PATCH', `${base}/${freed.body.id}`, {
        body: { name: '2ND', privacy: 'secret' },
      });
      assert.deepEqual(
        [taken.status, taken.body],
        [422, { message: 'Validation failed: Name has already been taken' }],
      );
      assert.deepEqual((await service.send('GET', `${base}/${freed.body.id}`)).body, freed.body);
    }),
};

const ownSlug: Case<ServiceHarness> = {
  id: 'teams.slug-follows-renames-only',
  cites: 'decisions 9',
  run: (harness) =>
    withService(
      harness,
      { ...acme, teams: [...(acme.teams ?? []), { organization: 'acme', name: 'Core & Friends', slug: 'core' }] },
      async (service) => {
        const team = (await service.send('GET', base)).body.at(-1);
        const slugAfter = async (body: object) =>
          (await service.send('PATCH', `${base}/${team.id}`, { body })).body.slug;
        assert.equal(await slugAfter({ description: 'About' }), 'core', 'an update without a name keeps the slug');
        assert.equal(
          await slugAfter({ name: 'Core & Friends' }),
          'core',
          'an update with the same name keeps the slug',
        );
        assert.equal(await slugAfter({ name: 'Core' }), 'core');
        assert.equal(await slugAfter({ name: 'Core & Friends' }), 'core-friends');
      },
    ),
};

/** Users, and whether they see the secret team. */
const audience = [
  ['admin@acme.test', true],
  ['insider@acme.test', true],
  ['member@acme.test', false],
  ['stopper@acme.test', false],
] as const;

const insider: Fixture = {
  users: [{ name: 'Insider', email: 'insider@acme.test', organizations: [{ organization: 'acme' }] }],
  access_tokens: [{ user: 'insider@acme.test' }],
  teams: [{ organization: 'acme', name: 'Hidden', privacy: 'secret', members: [{ user: 'insider@acme.test' }] }],
};

const secret: Case<ServiceHarness> = {
  id: 'teams.secret-for-members-and-admins',
  cites: 'spec 2.9, decisions 2',
  run: (harness) =>
    withService(harness, mergeFixtures(acme, insider), async (service) => {
      const all = (await service.send('GET', base)).body;
      const hidden = all.at(-1);
      const one = `${base}/${hidden.id}`;
      const check = async (isSecret: boolean) => {
        for (const [who, member] of audience) {
          const token = service.tokens[who] ?? null;
          const sees = member || !isSecret;
          const list = await service.send('GET', `${base}?per_page=100`, { token });
          assert.equal(list.text.includes(hidden.id), sees, `${who} in the list`);
          const first = await service.send('GET', `${base}?per_page=1`, { token });
          const last = /page=(\d+)&per_page=1>; rel="last"/.exec(first.headers.link ?? '')?.[1] ?? '1';
          assert.equal(last, String(list.body.length), 'the last page does not count it');
          for (const [method, path] of [
            ['GET', ''],
            ['GET', '/suites'],
            ['GET', '/pipelines'],
            ['PATCH', ''],
            ...(sees ? [] : [['DELETE', '']]),
          ] as const) {
            const response = await service.send(method, one + path, { token });
            assert.equal(response.status, sees ? 200 : 404, `${who} ${method} ${path}`);
            if (!sees) assert.deepEqual(response.body, { message: 'No team found' });
          }
        }
      };
      await check(true);
      await service.send('PATCH', one, { body: { privacy: 'visible' } });
      await check(false);
      await service.send('PUT', one, { body: { privacy: 'secret' } });
      await check(true);
    }),
};

const byUser: Case<ServiceHarness> = {
  id: 'teams.of-a-user',
  cites: 'spec 4.5, decisions 1, decisions 2',
  run: (harness) =>
    withService(harness, mergeFixtures(acme, insider, organizationFixture('rivals')), async (service) => {
      const id = async (email: string) =>
        (await service.send('GET', '/v2/user', { token: service.tokens[email] ?? null })).body.id;
      const names = async (user: string, who = 'admin@acme.test') => {
        const response = await service.send('GET', `${base}?user_id=${user}`, { token: service.tokens[who] ?? null });
        assert.equal(response.status, 200);
        return response.body.map((team: { name: string }) => team.name);
      };
      const [admin, member, inside] = [
        await id('admin@acme.test'),
        await id('member@acme.test'),
        await id('insider@acme.test'),
      ];
      assert.deepEqual(await names(admin), ['Secret team of acme']);
      assert.deepEqual(await names(member.toUpperCase()), ['Team of acme']);
      assert.deepEqual(await names(inside), ['Hidden']);
      assert.deepEqual(
        await names(inside, 'member@acme.test'),
        [],
        'the filter by member does not reveal a secret team',
      );
      assert.deepEqual(await names(inside, 'insider@acme.test'), ['Hidden']);
      assert.deepEqual(await names(await id('stopper@acme.test')), []);
      assert.deepEqual(await names(await id('member@rivals.test')), []);
      assert.deepEqual(await names('0190a000-0000-7000-8000-000000000000'), []);
      for (const value of ['x', '', '5', `${member}x`]) {
        const response = await service.send('GET', `${base}?user_id=${value}`);
        assert.deepEqual([response.status, response.body], [400, { message: 'user_id must be a UUID' }], value);
      }
    }),
};

const deleted: Case<ServiceHarness> = {
  id: 'teams.delete',
  cites: 'spec 4.5, decisions 2',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { teams } = await fetchRecords(service, 'acme');
      const [team, other] = teams;
      const webhook = async () => {
        const token = service.tokens['member@acme.test'] ?? null;
        const response = await service.send('GET', '/v2/organizations/acme/pipelines/web/builds/1', { token });
        return response.body.pipeline.provider.webhook_url;
      };
      assert.notEqual(await webhook(), '');
      const response = await service.send('DELETE', `${base}/${team.id}/`);
      assert.deepEqual([response.status, response.text], [204, '']);
      assert.equal(await webhook(), '', 'access through the team ends with it');
      for (const path of [
        '',
        '/suites',
        '/pipelines',
        `/suites/${team.suites[0].suite_id}`,
        `/pipelines/${team.pipelines[0].pipeline_id}`,
      ]) {
        const gone = await service.send('GET', `${base}/${team.id}${path}`);
        assert.deepEqual([gone.status, gone.body], [404, { message: 'No team found' }], path);
      }
      assert.deepEqual((await fetchRecords(service, 'acme')).teams, [other]);
      const user = await service.send('GET', '/v2/user', { token: service.tokens['member@acme.test'] ?? null });
      assert.deepEqual((await service.send('GET', `${base}?user_id=${user.body.id}`)).body, []);
      assert.equal((await service.send('POST', base, { body: { ...validBody, name: team.name } })).status, 201);
    }),
};

/** The names of the teams of a user. */
const memberships = async (service: Service, user: string): Promise<string[]> =>
  (await service.send('GET', `${base}?user_id=${user}`)).body.map((team: { name: string }) => team.name);

const joining: Case<ServiceHarness> = {
  id: 'teams.new-members-join-default-teams',
  cites: 'spec 2.9, spec 4.5',
  run: (harness) =>
    withServicePair(harness, mergeFixtures(acme, organizationFixture('rivals')), async ({ service, storage }) => {
      const { api } = service;
      const make = (name: string, more: object) =>
        service.send('POST', base, { body: { ...validBody, ...more, name } });
      const everyone = (await make('Everyone', { privacy: 'secret' })).body;
      await make('Chosen few', { is_default_team: false });
      const organizations = [{ organization: 'acme' }];
      const fresh = await api.provision.user({ name: 'New', email: 'new@acme.test', organizations });
      assert.deepEqual(await memberships(service, fresh.id), ['Everyone']);
      const [entry] = await storage.select('teamMember.ofTeam', { team: everyone.id }, 10);
      assert.equal(entry?.role, 'maintainer', "the member has the team's default role");
      const { token } = await api.runtime.accessTokens.issue({ user: 'new@acme.test' });
      assert.equal(
        (await service.send('GET', `${base}/${everyone.id}`, { token })).status,
        200,
        'the new member sees the secret team',
      );
      const before = await service.send('GET', '/v2/user', { token: service.tokens['member@acme.test'] ?? null });
      assert.deepEqual(await memberships(service, before.body.id), ['Team of acme'], 'existing users do not join');
      const other = await api.provision.user({
        name: 'R',
        email: 'r@rivals.test',
        organizations: [{ organization: 'rivals' }],
      });
      assert.deepEqual(await memberships(service, other.id), [], 'users join only teams of their organization');
      const loner = { organization: 'acme', joins_default_teams: false };
      const staff = { organization: 'acme', name: 'Staff', is_default_team: true };
      const { users } = await api.load({
        users: [
          { name: 'Loner', email: 'loner@acme.test', organizations: [loner] },
          { name: 'Joiner', email: 'joiner@acme.test', organizations },
        ],
        teams: [staff, { ...staff, name: 'Listed', members: [{ user: 'new@acme.test' }] }],
      });
      const [alone, joiner] = users.map(({ id }) => id);
      assert.deepEqual(await memberships(service, alone ?? ''), [], 'a fixture can exclude a user');
      assert.deepEqual(
        await memberships(service, joiner ?? ''),
        ['Everyone', 'Staff'],
        'users join default teams of the same fixture',
      );
      assert.deepEqual(
        await memberships(service, fresh.id),
        ['Everyone', 'Listed'],
        'members listed in the fixture join too',
      );
    }),
};

/** Teams (spec 2.9, 4.5). */
export const teams: readonly Case<ServiceHarness>[] = [
  created,
  validation,
  updated,
  ownSlug,
  secret,
  byUser,
  deleted,
  joining,
];
