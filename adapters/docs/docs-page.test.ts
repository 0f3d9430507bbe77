import test from 'ava';
import { fakeService } from '../fake/index.js';
import { serve } from '../node/index.js';
import { findSwaggerUi } from './files.js';
import { docsPage } from './index.js';

const optionsWithDocs = { pages: docsPage({ title: 'A & "B" <c>' }) };

/** The URLs of all resources that a page loads, resolved like in a browser. */
const linkedUrls = (html: string, address: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference = '']) => new URL(reference, address).href);

for (const prefix of ['', '/ci/api'])
  test(`the page and its resources load below the prefix "${prefix}", with and without a trailing slash`, async (t) => {
    const service = await fakeService(optionsWithDocs);
    const server = await serve(service.api, { prefix });
    for (const end of ['/docs', '/docs/', '/docs?x=1', '/docs/#/Builds']) {
      const address = server.url + end;
      const page = await fetch(address);
      t.is(page.status, 200);
      t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
      t.is(page.headers.get('access-control-allow-origin'), '*');
      t.is(page.headers.get('access-control-expose-headers'), 'Link');
      t.truthy(page.headers.get('x-request-id'));
      const parts = linkedUrls(await page.text(), address);
      t.is(parts.length, 4);
      for (const part of parts) {
        t.true(part.startsWith(`${server.url}/docs/`), part);
        t.is((await fetch(part, { method: 'HEAD' })).status, 200, part);
      }
    }
    t.is((await fetch(`${server.url}/v2/openapi.json`)).status, 200);
    await server.close();
    await service.close();
  });

test('every resource has its content type and length, and no other file is served', async (t) => {
  const service = await fakeService(optionsWithDocs);
  const types = {
    '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
    '/docs/swagger-ui.css': 'text/css; charset=utf-8',
    '/docs/start.js': 'text/javascript; charset=utf-8',
    '/docs/favicon.png': 'image/png',
  };
  const server = await serve(service.api);
  for (const [path, type] of Object.entries(types)) {
    const response = await fetch(server.url + path);
    t.is(response.headers.get('content-type'), type);
    t.is(Number(response.headers.get('content-length')), (await response.arrayBuffer()).byteLength);
  }
  await server.close();
  for (const path of [
    '/docs/package.json',
    '/docs/index.html',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
    '/docs//start.js',
    '/docs/start.js/',
    '/docs/__proto__',
    '/docsx',
    '/Docs',
  ]) {
    const { status, body } = await service.request('GET', path);
    t.deepEqual({ status, body }, { status: 404, body: { message: `No route matches GET ${path}` } });
    t.false(service.api.matches('GET', path));
  }
  await service.close();
});

test('the page supports GET and HEAD only, and api.matches knows its route', async (t) => {
  const service = await fakeService(optionsWithDocs);
  t.true(service.api.matches('GET', '/docs'));
  const post = await service.request('POST', '/docs');
  t.is(post.status, 405);
  t.is(post.headers.allow, 'GET, HEAD, OPTIONS');
  const options = await service.request('OPTIONS', '/docs');
  t.is(options.status, 204);
  t.is(options.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
  const head = await service.request('HEAD', '/docs');
  t.is(head.status, 200);
  t.true(Number(head.headers['content-length']) > 100);
  t.is(head.body, undefined);
  await service.close();
});

test('without swagger-ui-dist the error names the package to install', (t) => {
  t.throws(() => findSwaggerUi('file:///nowhere/at/all.js'), { message: /npm install swagger-ui-dist/ });
});

test('the title is escaped', async (t) => {
  const page = await optionsWithDocs.pages.get('/docs');
  t.regex(Buffer.from(page?.body ?? '').toString(), /<title>A &amp; &quot;B&quot; &lt;c&gt;<\/title>/);
});

test('without pages, and for a page that is not found, there is no route', async (t) => {
  const without = await fakeService();
  t.is((await without.request('GET', '/docs')).status, 404);
  t.false(without.api.matches('GET', '/docs'));
  await without.close();
  const empty = await fakeService({ pages: { matches: () => true, get: async () => undefined } });
  t.is((await empty.request('GET', '/docs')).status, 404);
  t.is((await empty.request('GET', '/v2/user')).status, 200, 'operations take precedence');
  t.is((await empty.request('POST', '/v2/user')).status, 405, 'so do their other methods');
  await empty.close();
});

test('a page that throws is a 500 in JSON', async (t) => {
  const pages = {
    matches: () => true,
    get: async () => {
      throw new Error('secret');
    },
  };
  const service = await fakeService({ pages });
  const { status, body } = await service.request('GET', '/docs');
  t.deepEqual({ status, body }, { status: 500, body: { message: 'Something went wrong on our side' } });
  t.is(service.errors.length, 1);
  await service.close();
});
