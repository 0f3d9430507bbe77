import assert from 'node:assert/strict';
import { formatToken } from '../../../core/index.js';
import { placeholdersOf } from '../../api/index.js';
import type { Case } from '../../case.js';
import { commandSequence, type ExampleRequest, exampleRequests, isRead, targetOf } from '../example-requests.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const twoOrganizations = mergeFixtures(organizationFixture('acme'), organizationFixture('rivals'));
const admin = 'admin@acme.test';

const unauthenticated = { message: 'Authentication required. Please supply a valid API Access Token' };

/** The example requests of all operations that need a token. */
async function authenticatedExamples(service: Service): Promise<ExampleRequest[]> {
  return (await exampleRequests(service)).filter(({ operation }) => operation.form !== 'public');
}

const send = (service: Service, example: ExampleRequest, options: Parameters<Service['send']>[2]) =>
  service.send(example.operation.method, targetOf(example), {
    ...options,
    ...(example.body ? { body: example.body } : {}),
  });

/** Values of `Authorization` that must be refused. Undefined: the header is not sent. */
async function invalidAuthorizations(service: Service): Promise<Readonly<Record<string, string | undefined>>> {
  const known = service.tokens[admin] ?? '';
  const { runtime } = service.api;
  const revoked = await runtime.accessTokens.issue({ user: admin });
  await runtime.accessTokens.revoke({ token: revoked.id });
  const expired = await runtime.accessTokens.issue({ user: admin, expires_at: '2026-01-05T09:00:01Z' });
  service.clock.advance(1_000);
  return {
    'no header': undefined,
    'an empty header': '',
    'Bearer alone': 'Bearer',
    'Bearer and a space': 'Bearer ',
    Basic: `Basic ${Buffer.from(`admin:${known}`).toString('base64')}`,
    'Basic with the token itself': `Basic ${known}`,
    'the token alone': known,
    'another scheme': `Token ${known}`,
    garbage: 'Bearer garbage',
    'an unknown well-formed token': `Bearer ${formatToken('mra', 'x'.repeat(40))}`,
    'an agent token': `Bearer ${service.agentTokens['acme cluster']}`,
    'a token with one letter changed': `Bearer ${known.slice(0, -1)}${known.endsWith('a') ? 'b' : 'a'}`,
    'a token and more': `Bearer ${known} x`,
    'a token twice': `Bearer ${known}, Bearer ${known}`,
    'a revoked token': `Bearer ${revoked.token}`,
    'a token that expires now': `Bearer ${expired.token}`,
    'a very long token': `Bearer ${'x'.repeat(5_000)}`,
    'a token with a quote': `Bearer ${known}'--`,
  };
}

const unauthenticatedCase: Case<ServiceHarness> = {
  id: 'auth.same-401-for-all',
  cites: 'spec 5.1, spec 5.3, decisions 2',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const examples = await authenticatedExamples(service);
      const texts = new Set<string>();
      for (const [what, authorization] of Object.entries(await invalidAuthorizations(service))) {
        for (const example of examples) {
          const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
          const response = await send(service, example, { token: null, headers });
          const where = `${what} at ${example.operation.id}`;
          assert.deepEqual([response.status, response.body], [401, unauthenticated], where);
          assert.equal(response.headers['www-authenticate'], 'Bearer', where);
          texts.add(response.text);
        }
      }
      assert.equal(texts.size, 1, 'all responses have the same bytes');
    }),
};

const schemes: Case<ServiceHarness> = {
  id: 'auth.bearer',
  cites: 'spec 5.1',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} ${service.tokens[admin]}` };
        assert.equal((await service.send('GET', '/v2/user', { token: null, headers })).status, 200, scheme);
      }
      const { token } = await service.api.runtime.accessTokens.issue({
        user: admin,
        expires_at: '2026-01-05T09:00:01Z',
      });
      service.clock.advance(999);
      assert.equal((await service.send('GET', '/v2/user', { token })).status, 200, 'valid until it expires');
    }),
};

const scopes: Case<ServiceHarness> = {
  id: 'auth.exactly-the-scope',
  cites: 'spec 4, spec 5.4, decisions 2',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const all = [
        ...new Set((await authenticatedExamples(service)).flatMap(({ operation }) => operation.scope ?? [])),
      ];
      const { issue } = service.api.runtime.accessTokens;
      for (const example of await authenticatedExamples(service)) {
        const { scope, id } = example.operation;
        if (scope === null) continue;
        const lacking = await issue({ user: admin, scopes: all.filter((one) => one !== scope) });
        const refused = await send(service, example, { token: lacking.token });
        assert.deepEqual(
          [refused.status, refused.body],
          [403, { message: `Your access token doesn't have the ${scope} scope` }],
          id,
        );
      }
      for (const example of await authenticatedExamples(service)) {
        const { scope, id } = example.operation;
        if (!isRead(example.operation)) continue;
        const holding = await issue({ user: admin, scopes: scope === null ? [] : [scope] });
        const response = await send(service, example, { token: holding.token });
        assert.equal(response.status, example.operation.success, id);
      }
      for (const example of commandSequence(await authenticatedExamples(service))) {
        const { scope, id } = example.operation;
        if (scope === null) continue;
        const holding = await issue({ user: admin, scopes: [scope] });
        const response = await send(service, example, { token: holding.token });
        assert.equal(response.status, example.operation.success, id);
      }
    }),
};

const organizations: Case<ServiceHarness> = {
  id: 'auth.other-organizations-do-not-exist',
  cites: 'spec 5.2, decisions 2',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { issue } = service.api.runtime.accessTokens;
      const limited = await issue({ user: admin, organizations: [] });
      for (const example of await authenticatedExamples(service)) {
        if (!placeholdersOf(example.operation.path).includes('organization')) continue;
        for (const [token, organization] of [
          [service.tokens[admin], 'rivals'],
          [service.tokens[admin], 'nobody'],
          [service.tokens['admin@rivals.test'], 'acme'],
          [limited.token, 'acme'],
        ] as const) {
          const elsewhere = { ...example, pathParams: { ...example.pathParams, organization } };
          const response = await send(service, elsewhere, { token: token ?? null });
          assert.deepEqual(
            [response.status, response.body],
            [404, { message: 'No organization found' }],
            elsewhere.operation.id,
          );
        }
      }
      const builds = await service.send('GET', '/v2/builds', { token: limited.token });
      assert.deepEqual(builds.body, [], 'a token without organizations lists no builds');
    }),
};

const limitedTokens: Case<ServiceHarness> = {
  id: 'auth.token-limited-to-organizations',
  cites: 'spec 4.2, spec 5.2',
  run: (harness) => {
    const user = { ...(twoOrganizations.users ?? []).find(({ email }) => email === admin), organizations: undefined };
    const memberships = ['acme', 'rivals'].map((organization) => ({ organization, role: 'admin' as const }));
    const users = (twoOrganizations.users ?? []).map((one) =>
      one.email === admin ? { name: user.name ?? '', email: admin, organizations: memberships } : one,
    );
    return withService(harness, { ...twoOrganizations, users }, async (service) => {
      const seen = async (organizations: string[] | null) => {
        const { token } = await service.api.runtime.accessTokens.issue({ user: admin, organizations });
        const all = await service.send('GET', '/v2/builds?per_page=100', { token });
        const slugs = new Set(all.body.map((build: { url: string }) => /organizations\/(\w+)/.exec(build.url)?.[1]));
        const statuses = await Promise.all(
          ['acme', 'rivals'].map((slug) => service.send('GET', `/v2/organizations/${slug}/builds`, { token })),
        );
        return [[...slugs].sort(), statuses.map(({ status }) => status)];
      };
      assert.deepEqual(await seen(null), [
        ['acme', 'rivals'],
        [200, 200],
      ]);
      assert.deepEqual(await seen(['acme']), [['acme'], [200, 404]]);
      assert.deepEqual(await seen(['rivals']), [['rivals'], [404, 200]]);
      assert.deepEqual(await seen([]), [[], [404, 404]]);
    });
  },
};

export const auth: readonly Case<ServiceHarness>[] = [
  unauthenticatedCase,
  schemes,
  scopes,
  organizations,
  limitedTokens,
];
