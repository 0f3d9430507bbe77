import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { operations } from '../../core/operations/index.js';
import { type FakeService, fakeService } from '../fake/index.js';
import { serve } from '../node/index.js';
import { ApiError, type Client, type ClientOptions, createClient } from './index.js';
import { routes } from './routes.js';

const acme = { organization: 'acme', pipeline: 'web' };
const head = { commit: 'HEAD', branch: 'main' };

/** The same tests in process and over a socket. Over the socket, the address differs from the API's base URL. */
const connectors: Record<
  string,
  (service: FakeService) => Promise<{ options: ClientOptions; close(): Promise<void> }>
> = {
  'in process': async ({ api }) => ({ options: { api }, close: async () => {} }),
  'over a socket': async ({ api }) => {
    const server = await serve(api, { prefix: '/ci' });
    return { options: { url: `${server.url}/` }, close: () => server.close() };
  },
};

for (const [connector, open] of Object.entries(connectors)) {
  const withClient =
    (run: (client: Client, service: FakeService, options: ClientOptions) => Promise<void>) => async () => {
      const service = await fakeService();
      const { options, close } = await open(service);
      try {
        await run(createClient({ ...options, token: service.token }), service, options);
      } finally {
        await close();
        await service.close();
      }
    };

  test(`${connector}: a build is created, read, canceled and rebuilt`, async (t) => {
    await withClient(async (client) => {
      const created = await client.builds.create({ ...acme, body: { ...head, env: { LANG: 'ä', N: 1 } } });
      t.like(created, { ok: true, status: 201, value: { number: 1, state: 'scheduled', env: { LANG: 'ä', N: '1' } } });
      const read = await client.builds.get({ ...acme, build: 1, query: { include_retried_jobs: true } });
      t.deepEqual(read, { ok: true, status: 200, value: created.ok ? created.value : undefined } as typeof read);
      t.like(await client.builds.cancel({ ...acme, build: '1' }), { ok: true, value: { state: 'canceled' } });
      t.like(await client.builds.rebuild({ ...acme, build: 1 }), { ok: true, value: { number: 2 } });
    })();
  });

  test(`${connector}: API errors are values`, async (t) => {
    await withClient(async (client, _service, options) => {
      t.deepEqual(await client.builds.create({ ...acme, body: { commit: '', branch: 'main' } }), {
        ok: false,
        status: 422,
        message: 'Validation Failed',
        errors: [{ field: 'commit', code: 'missing' }],
      });
      t.deepEqual(await client.clusters.get({ organization: 'acme', cluster: 'none' }), {
        ok: false,
        status: 404,
        message: 'No cluster found',
      });
      t.like(await createClient(options).user.get(), { ok: false, status: 401 });
      t.like(await createClient(options).meta.root(), { ok: true, status: 200 });
    })();
  });

  test(`${connector}: single pages, and iteration over all pages`, async (t) => {
    await withClient(async (client) => {
      for (let number = 1; number <= 5; number += 1)
        await client.builds.create({ ...acme, body: { ...head, meta_data: { 'a&b': `${number % 2}` } } });
      const page = await client.builds.listByPipeline({ ...acme, query: { per_page: 2, page: 2 } });
      t.true(page.ok);
      if (!page.ok) return;
      t.deepEqual(
        page.value.items.map((build) => build.number),
        [3, 2],
      );
      t.deepEqual(Object.keys(page.value.links), ['first', 'prev', 'next', 'last']);

      const numbers: number[] = [];
      for await (const build of client.builds.listByPipeline.all({ ...acme, query: { per_page: 2 } }))
        numbers.push(build.number);
      t.deepEqual(numbers, [5, 4, 3, 2, 1]);

      const odd: number[] = [];
      const query = { per_page: 1, meta_data: { 'a&b': '1' }, branch: ['main', 'x y'], state: 'scheduled' as const };
      for await (const build of client.builds.listByOrganization.all({ organization: 'acme', query }))
        odd.push(build.number);
      t.deepEqual(odd, [5, 3, 1], 'every page has the query of the first');

      const first = await client.builds.listAll.all({ query: { per_page: 1 } }).next();
      t.is(first.value?.number, 5);
    })();
  });

  test(`${connector}: an API error during iteration is thrown`, async (t) => {
    await withClient(async (client) => {
      const error = await t.throwsAsync(client.agents.list.all({ organization: 'none' }).next(), {
        instanceOf: ApiError,
      });
      t.deepEqual(error?.result, { ok: false, status: 404, message: 'No organization found' });
      t.is(error?.message, '404: No organization found');
    })();
  });

  test(`${connector}: responses without a body`, async (t) => {
    await withClient(async (client) => {
      const created = await client.clusters.create({ organization: 'acme', body: { name: 'Short-lived' } });
      if (!created.ok) return t.fail();
      const deleted = await client.clusters.delete({ organization: 'acme', cluster: created.value.id });
      t.deepEqual(deleted, { ok: true, status: 204, value: undefined });
    })();
  });

  test(`${connector}: path values are escaped and cannot change the path`, async (t) => {
    await withClient(async (client) => {
      for (const organization of ['a/b', 'ä', '%2e%2e', '?', '#', 'a b'])
        t.like(await client.teams.list({ organization }), { ok: false, message: 'No organization found' });
      for (const organization of ['', '.', '..'])
        await t.throwsAsync(client.teams.list({ organization }), { instanceOf: TypeError });
      await t.throwsAsync((client.teams.list as unknown as () => Promise<unknown>)(), {
        message: /^organization must be the id, slug or number/,
      });
    })();
  });

  test(`${connector}: an aborted call rejects`, async (t) => {
    await withClient(async (client) => {
      await t.throwsAsync(client.user.get({}, { signal: AbortSignal.abort() }), { any: true, name: 'AbortError' });
    })();
  });
}

test('a network error rejects, and so does a success response that is not JSON', async (t) => {
  const unreachable = createClient({ url: 'http://127.0.0.1:1', token: 'x' });
  await t.throwsAsync(unreachable.user.get(), { instanceOf: TypeError });
  const requestedUrls: string[] = [];
  const html = (status: number) => async (url: string) => {
    requestedUrls.push(url);
    return new Response('<html>', { status });
  };
  const url = 'https://ci.test/api/';
  await t.throwsAsync(createClient({ url, fetch: html(200) }).user.get(), { message: /not JSON/ });
  t.deepEqual(await createClient({ url, fetch: html(502) }).user.get(), {
    ok: false,
    status: 502,
    message: 'Status 502',
  });
  t.deepEqual(requestedUrls, Array(2).fill('https://ci.test/api/v2/user'));
});

test('the token is sent to the address of the client only, even if links point elsewhere', async (t) => {
  const requestedUrls: string[] = [];
  const fetch = async (url: string) => {
    requestedUrls.push(url);
    const link = requestedUrls.length === 1 ? '<https://elsewhere.test/v2/builds?page=2>; rel="next"' : '';
    return new Response('[]', { headers: { Link: link } });
  };
  for await (const _ of createClient({ url: 'https://ci.test', token: 'secret', fetch }).builds.listAll.all());
  t.deepEqual(requestedUrls, ['https://ci.test/v2/builds', 'https://ci.test/v2/builds?page=2']);
});

test('the route table equals the declared operations', (t) => {
  const derived = operations.map(({ id, method, path, form }) => [
    id,
    form === 'list' ? [method, path, form] : [method, path],
  ]);
  t.deepEqual(routes as Record<string, unknown>, Object.fromEntries(derived));
});

test('every operation has a method with its summary, its route and its scope as a docstring', (t) => {
  const declared = readFileSync(new URL('resources.d.ts', import.meta.url), 'utf8');
  const methods = [...declared.matchAll(/\/\*\* (.*) \*\/\n +readonly \w+: Method<ShapeOfId<'([\w.]+)'>>/g)];
  const documented = Object.fromEntries(methods.map(([, docstring, id = '']) => [id, docstring]));
  const expected = operations.map(({ id, summary, method, path, ...operation }) => {
    const scope = 'scope' in operation && operation.scope ? `, scope \`${operation.scope}\`` : '';
    return [id, `${summary}: \`${method} ${path}\`${scope}.`];
  });
  t.deepEqual(documented, Object.fromEntries(expected));
  const client = createClient({ url: 'http://127.0.0.1:1' });
  t.deepEqual(
    Object.entries(client)
      .flatMap(([resource, byName]) => Object.keys(byName).map((name) => `${resource}.${name}`))
      .sort(),
    Object.keys(documented).sort(),
  );
});

test('at run time the client imports only its own files and the check of options, which imports nothing', (t) => {
  const check = readFileSync(new URL('../../core/options-check.js', import.meta.url), 'utf8');
  t.notRegex(check, /^import /m);
  for (const name of readdirSync(import.meta.dirname)) {
    if (!name.endsWith('.js') || name.endsWith('.test.js')) continue;
    const source = readFileSync(new URL(name, import.meta.url), 'utf8');
    const imported = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
    t.deepEqual(
      imported.filter((specifier) => !/^(\.\/[\w-]+|\.\.\/\.\.\/core\/options-check)\.js$/.test(specifier)),
      [],
      name,
    );
  }
});
