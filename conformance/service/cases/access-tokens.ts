import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { organizationFixture } from '../fixture.js';
import { type ServiceHarness, withService } from '../service.js';

const acme = organizationFixture('acme');
const path = '/v2/access-token';
const user = 'member@acme.test';

const shown: Case<ServiceHarness> = {
  id: 'access-token.get',
  cites: 'decisions 2',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const issued = await service.api.runtime.accessTokens.issue({
        user,
        scopes: ['read_suites', 'view_teams'],
        description: 'For the \u{1f680} deployer',
        expires_at: '2027-01-01T00:00:00+01:00',
      });
      const me = (await service.send('GET', '/v2/user', { token: issued.token })).body;
      const response = await service.send('GET', path, { token: issued.token });
      assert.deepEqual(response.body, {
        uuid: issued.id,
        scopes: ['read_suites', 'view_teams'],
        description: 'For the \u{1f680} deployer',
        created_at: '2026-01-05T09:00:00.000Z',
        expires_at: '2026-12-31T23:00:00.000Z',
        user: me,
      });
      assert.deepEqual([me.name, me.email], ['Member of acme', user]);
      assert.ok(!response.text.includes(issued.token), 'the token is shown only when it is issued');
    }),
};

const revoked: Case<ServiceHarness> = {
  id: 'access-token.revoke',
  cites: 'spec 5.2, decisions 2',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { issue } = service.api.runtime.accessTokens;
      const [one, other] = [await issue({ user, scopes: [] }), await issue({ user })];
      const response = await service.send('DELETE', path, { token: one.token });
      assert.equal(response.status, 204);
      for (const [method, target] of [
        ['GET', path],
        ['DELETE', path],
        ['GET', '/v2/user'],
        ['GET', '/v2/builds'],
      ] as const)
        assert.equal(
          (await service.send(method, target, { token: one.token })).status,
          401,
          'the token is refused immediately',
        );
      assert.equal((await service.send('GET', path, { token: other.token })).status, 200, 'other tokens stay valid');
    }),
};

const revokedOnce: Case<ServiceHarness> = {
  id: 'access-token.revoke-at-once',
  cites: 'decisions 2, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { token } = await service.api.runtime.accessTokens.issue({ user });
      const responses = await Promise.all(Array.from({ length: 10 }, () => service.send('DELETE', path, { token })));
      const statuses = responses.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [204, ...Array.from({ length: 9 }, () => 401)]);
    }),
};

const unguessable: Case<ServiceHarness> = {
  id: 'access-token.text',
  cites: 'decisions 2',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const issued = await Promise.all(
        Array.from({ length: 20 }, () => service.api.runtime.accessTokens.issue({ user })),
      );
      const texts = issued.map(({ token }) => token);
      for (const text of texts)
        assert.match(text, /^mra_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/, '40 random characters and 6 of checksum');
      assert.equal(
        new Set(texts.map((text) => text.slice(0, 24))).size,
        texts.length,
        'no two tokens share their first half',
      );
    }),
};

export const accessTokens: readonly Case<ServiceHarness>[] = [shown, revoked, revokedOnce, unguessable];
