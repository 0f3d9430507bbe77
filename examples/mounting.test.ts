import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import test from 'ava';
import { Hono } from 'hono';
import { fetchHandler } from 'millrace/fetch';
import { api } from './mounting/api.js';
import { app as expressApp } from './mounting/express.js';
import { app as fastifyApp } from './mounting/fastify.js';
import fetchApp from './mounting/fetch.js';
import { app as honoApp } from './mounting/hono.js';
import { app as koaApp } from './mounting/koa.js';
import { server } from './mounting/node.js';

const root = new URL('../../', import.meta.url);

await api.prepare();
await api.provision.organization({ slug: 'acme' });
const organizations = [{ organization: 'acme', role: 'admin' as const }];
await api.provision.user({ name: 'Ada', email: 'ada@acme.example', organizations });
const { token } = await api.runtime.accessTokens.issue({ user: 'ada@acme.example' });

const fastifyServer = async (): Promise<Server> => {
  await fastifyApp.ready();
  return fastifyApp.server;
};
const honoMounted = new Hono().mount('/ci', fetchHandler(api)).get('/', (c) => c.text('A page of my own'));
const listener = (handler: RequestListener) => createServer(handler);

const servers: Record<string, () => Server | Promise<Server>> = {
  node: () => server,
  express: () => listener(expressApp),
  fastify: fastifyServer,
  koa: () => listener(koaApp.callback()),
  hono: () => listener(getRequestListener(honoApp.fetch)),
  fetch: () => listener(getRequestListener(fetchApp.fetch)),
  'mount of hono': () => listener(getRequestListener(honoMounted.fetch)),
};

for (const [name, make] of Object.entries(servers))
  test(`${name}: the API is served beside a page of the host`, async (t) => {
    const server = (await make()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clusters = `${url}/ci/v2/organizations/acme/clusters`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = (body: string) => fetch(clusters, { method: 'POST', headers, body });

    t.is(await (await fetch(url)).text(), 'A page of my own');
    const created = await post(JSON.stringify({ name: `Clüster of ${name}` }));
    t.is(created.status, 201);
    const { id } = (await created.json()) as { id: string };
    const found = await fetch(`${clusters}/${id}`, { headers });
    t.is(((await found.json()) as { name: string }).name, `Clüster of ${name}`);
    const page = await fetch(`${clusters}?per_page=1&page=1`, { headers });
    t.is(((await page.json()) as unknown[]).length, 1);
    t.is(
      (await fetch(`${clusters}/${id}`, { method: 'HEAD', headers })).headers.get('content-type'),
      created.headers.get('content-type'),
    );
    t.is((await fetch(clusters)).status, 401);
    t.is((await fetch(`${clusters}/${id}`, { method: 'DELETE', headers })).status, 204);
    server.close();
    server.closeAllConnections();
  });

test('the examples of docs/mounting.md are the files that these tests run', async (t) => {
  const text = await readFile(new URL('docs/mounting.md', root), 'utf8');
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block);
  const names = await readdir(new URL('examples/mounting/', root));
  const files = await Promise.all(names.map((name) => readFile(new URL(`examples/mounting/${name}`, root), 'utf8')));
  t.deepEqual(blocks.toSorted(), files.toSorted());
});
