import test from 'ava';
import { manualClock } from '../adapters/fake/manual-clock.js';
import { seededIds } from '../adapters/fake/seeded-ids.js';
import { memoryStorage } from '../adapters/memory/index.js';
import {
  type ApiOptions,
  type ApiRequest,
  type Caller,
  createApi,
  createContainer,
  type InjectionToken,
  membershipAuthorizer,
  type Storage,
  tokens,
} from './index.js';

const request = (headers: ApiRequest['headers'], target = '/v2/user'): ApiRequest => ({
  method: 'GET',
  target,
  headers,
  remoteAddress: undefined,
  body: { parsed: undefined },
});

const caller: Caller = {
  user: {
    id: 'u',
    name: 'Ada',
    email: 'ada@acme.test',
    avatar_url: 'https://a.test',
    created_at: '2026-01-01T00:00:00.000Z',
  },
  token: { id: 't', scopes: ['read_user'], description: '', created_at: '2026-01-01T00:00:00.000Z', expires_at: null },
  organizations: [],
};

test('a host program registers its own storage, clock, ids, authenticator and authorizer', async (t) => {
  const container = createContainer();
  const storage = memoryStorage();
  const rights: string[] = [];
  container.register(tokens.storage, { useValue: storage });
  container.register(tokens.clock, { useValue: manualClock('2026-05-05T05:05:05.000Z') });
  container.register(tokens.ids, { useValue: seededIds(5) });
  container.register(tokens.authenticator, {
    useFactory: (parts) => ({
      // A session in a cookie: the authenticator sees the whole request.
      async authenticate({ headers }) {
        const [user] = await parts
          .resolve(tokens.cachedStorage)
          .select('user.byEmail', { email: headers.cookie ?? '' }, 1);
        const [organization] = await storage.select('organization.bySlug', { slug: 'acme' }, 1);
        const organizations = [{ organization_id: organization?.id ?? '', role: 'member', permissions: [] } as const];
        return (
          user && {
            ...caller,
            user,
            token: { ...caller.token, scopes: ['read_pipelines', 'read_builds'] },
            organizations,
          }
        );
      },
    }),
  });
  container.register(tokens.authorizer, {
    useFactory: (parts) => {
      const original = membershipAuthorizer(parts.resolve(tokens.cachedStorage));
      return {
        isAllowed(who, right) {
          rights.push(right.to);
          return original.isAllowed(who, right);
        },
      };
    },
  });
  const api = createApi({ container, baseUrl: 'https://ci.test' });
  await api.prepare();
  const { id } = await api.provision.organization({ slug: 'acme' });
  const at = { organization: 'acme' };
  await api.provision.user({ name: 'Ada', email: 'ada@acme.test', organizations: [{ ...at, role: 'member' }] });
  await api.provision.pipeline({ ...at, slug: 'web', repository: 'git@acme.test:web.git' });
  await api.provision.build({ ...at, pipeline: 'web', commit: 'abc', branch: 'main', state: 'passed', jobs: [] });
  const [expected = ''] = seededIds(5).uuids(1, Date.parse('2026-05-05T05:05:05.000Z'));
  t.is(id, expected, 'ids and clock are those of the host program');

  t.is((await api.handle(request({}))).status, 401);
  t.is((await api.handle(request({ authorization: 'Bearer ada@acme.test' }))).status, 401);
  const target = '/v2/organizations/acme/builds';
  const { status, body } = await api.handle(request({ cookie: 'ada@acme.test' }, target));
  t.is(status, 200, Buffer.concat(body).toString());
  t.deepEqual(rights, ['edit_pipeline']);
  await api.close();
  t.is((await storage.select('organization.bySlug', { slug: 'acme' }, 1)).length, 1, 'its storage stays open');
});

test('the container of the host is left as it was, and several Apis can share it', async (t) => {
  const container = createContainer();
  container.register(tokens.clock, { useValue: manualClock() });
  const one = createApi({ container, storage: memoryStorage() });
  const other = createApi({ container, storage: memoryStorage() });
  t.false(container.isRegistered(tokens.storage, true));
  t.false(container.isRegistered(tokens.links, true));
  await one.provision.organization({ slug: 'acme' });
  t.is((await other.provision.organization({ slug: 'acme' })).slug, 'acme', 'each has its own storage');
  await one.close();
  await other.provision.organization({ slug: 'umbrella' });
  await other.close();
});

test('a part is made once for an Api, whatever its registration says', async (t) => {
  let made = 0;
  const container = createContainer();
  container.register(tokens.storage, {
    useFactory: () => {
      made += 1;
      return memoryStorage();
    },
  });
  const api = createApi({ container });
  await api.provision.organization({ slug: 'acme' });
  t.is((await api.provision.user({ name: 'A', email: 'a@b', organizations: [{ organization: 'acme' }] })).email, 'a@b');
  t.is(made, 1);
  await api.close();
});

const doubles = {
  storage: memoryStorage(),
  clock: manualClock(),
  ids: seededIds(1),
  authenticator: { authenticate: async () => undefined },
  authorizer: { isAllowed: async () => true },
  pages: { matches: () => false, get: async () => undefined },
  onError: () => {},
} satisfies Partial<ApiOptions>;
const names = Object.keys(doubles) as (keyof typeof doubles)[];

test('a part that is an option and registered as well is refused by name', (t) => {
  for (const name of names) {
    const container = createContainer();
    container.register(tokens[name] as InjectionToken<unknown>, { useValue: doubles[name] });
    t.throws(() => createApi({ storage: doubles.storage, container, [name]: doubles[name] }), {
      instanceOf: TypeError,
      message: `createApi: option "${name}" is registered in the container as well; give it in one place`,
    });
  }
});

test('a part of another kind is refused by name; so is an Api without a storage', (t) => {
  for (const name of names) {
    const container = createContainer();
    container.register(tokens[name] as InjectionToken<unknown>, { useValue: { what: 'else' } });
    const { storage } = doubles;
    t.throws(() => createApi(name === 'storage' ? { container } : { storage, container }), {
      instanceOf: TypeError,
      message: new RegExp(`^createApi: option "container\\.${name}" must be `),
    });
  }
  t.throws(() => createApi({ container: createContainer() }), { message: /^createApi: option "storage" is missing/ });
});

/** A storage, and the order in which it and the event feed of its Api are closed. */
function observedApi() {
  const calls: string[] = [];
  const inner = memoryStorage();
  const storage: Storage = {
    ...inner,
    async close() {
      calls.push('storage');
      await inner.close();
    },
  };
  const container = createContainer();
  container.register(tokens.onError, { useValue: () => {} });
  const api = createApi({ storage, container });
  const { close } = api.events;
  const fail = { onClose: false };
  Object.assign(api.events, {
    async close() {
      calls.push('events');
      await close();
      if (fail.onClose) throw new Error('the feed fails');
    },
  });
  return { api, calls, fail };
}

test('closing ends the event feed, then the storage, once', async (t) => {
  const { api, calls } = observedApi();
  await Promise.all([api.close(), api.close(), api[Symbol.asyncDispose]()]);
  t.deepEqual(calls, ['events', 'storage']);
});

test('a part that cannot be closed does not keep the others open', async (t) => {
  const { api, calls, fail } = observedApi();
  fail.onClose = true;
  await t.throwsAsync(api.close(), { message: 'the feed fails' });
  t.deepEqual(calls, ['events', 'storage']);
});

test('`await using` closes an Api', async (t) => {
  const observed = observedApi();
  {
    await using api = observed.api;
    t.true(api.matches('GET', '/v2/user'));
  }
  t.deepEqual(observed.calls, ['events', 'storage']);
});
