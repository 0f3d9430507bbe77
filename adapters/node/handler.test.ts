import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import type { HttpApi } from '../../core/ports/index.js';
import { type Answer, echo, fakeApi, json, portOf } from './_fake-api.test.js';
import { type NodeHandlerOptions, nodeHandler } from './handler.js';

type Listener = (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => void;

async function listen(t: ExecutionContext, listener: Listener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server.address())}`;
}

const own = (t: ExecutionContext, api: HttpApi, options?: NodeHandlerOptions) => listen(t, nodeHandler(api, options));

/** A host with routes of its own behind the API. */
const shared = (t: ExecutionContext, api: HttpApi, options?: NodeHandlerOptions) => {
  const handler = nodeHandler(api, options);
  return listen(t, (request, response) => handler(request, response, () => response.end('the host')));
};

test('answers with status, headers and body of the API, and their length', async (t) => {
  const api = fakeApi({ '/v2/x': () => json(201, { a: 'ü' }, { Link: '<x>; rel="next"' }) });
  const response = await fetch(`${await own(t, api)}/v2/x`);
  t.is(response.status, 201);
  t.is(response.headers.get('link'), '<x>; rel="next"');
  t.is(response.headers.get('content-length'), '10');
  t.deepEqual(await response.json(), { a: 'ü' });
});

test('hands over method, target, headers and address as they came', async (t) => {
  const api = fakeApi();
  await fetch(`${await own(t, api)}/v2/a%2Fb?c[]=%C3%BC&c[]=2`, { method: 'DELETE', headers: { 'X-One': '1' } });
  const [request] = api.seen;
  t.is(request?.method, 'DELETE');
  t.is(request?.target, '/v2/a%2Fb?c[]=%C3%BC&c[]=2');
  t.is(request?.headers['x-one'], '1');
  t.is(request?.headers.constructor, undefined);
  t.is(request?.remoteAddress, '127.0.0.1');
  t.false(request?.signal?.aborted);
});

test('chunks are put together on the wire only', async (t) => {
  const body = ['[', '1', ',2', ']'].map((part) => Buffer.from(part));
  const url = await own(t, fakeApi({ '/v2/x': () => ({ status: 200, headers: {}, body }) }));
  const response = await fetch(`${url}/v2/x`);
  t.is(response.headers.get('content-length'), '5');
  t.deepEqual(await response.json(), [1, 2]);
});

test('a host keeps its own routes, and the API answers its own', async (t) => {
  const url = await shared(t, fakeApi());
  t.is(await (await fetch(`${url}/about`)).text(), 'the host');
  t.is((await fetch(`${url}/v2/x`)).status, 200);
});

test('without anybody behind it the API answers 404 itself', async (t) => {
  const response = await fetch(`${await own(t, fakeApi())}/about`);
  t.is(response.status, 404);
  t.like(await response.json(), { target: '/about' });
});

test('below a prefix the API sees its own paths, and nothing outside is the API', async (t) => {
  const api = fakeApi();
  const url = await shared(t, api, { prefix: '/ci' });
  t.like(await (await fetch(`${url}/ci/v2/x?y=1`)).json(), { target: '/v2/x?y=1' });
  for (const path of ['/v2/x', '/cix/v2', '/ci/about']) t.is(await (await fetch(url + path)).text(), 'the host', path);

  const alone = await own(t, api, { prefix: '/ci' });
  const response = await fetch(`${alone}/v2/x?y=1`);
  t.is(response.status, 404);
  t.is(response.headers.get('access-control-allow-origin'), '*');
  t.deepEqual(await response.json(), { message: 'No route matches GET /v2/x' });
});

const post = (url: string, body: string) => fetch(url, { method: 'POST', body });

test('a body is read when the API asks for it, and only up to its limit', async (t) => {
  const url = await own(t, fakeApi({ '/v2/x': echo }));
  t.deepEqual(await (await post(`${url}/v2/x`, 'héllo')).json(), { text: 'héllo' });
  t.deepEqual(await (await post(`${url}/v2/x`, '')).json(), { text: '' });
  t.is((await post(`${url}/v2/x`, 'x'.repeat(1000))).status, 200);
  t.is((await post(`${url}/v2/x`, 'x'.repeat(1001))).status, 413);
});

test('a body may be asked for twice', async (t) => {
  const twice: Answer = async ({ body }) => {
    if ('parsed' in body) throw new Error('nobody parsed it');
    return json(200, (await Promise.all([body.read(10), body.read(10)])).map(String));
  };
  const url = await own(t, fakeApi({ '/v2/x': twice }));
  t.deepEqual(await (await post(`${url}/v2/x`, 'abc')).json(), ['abc', 'abc']);
});

test('behind a body parser the API gets what that made of the body', async (t) => {
  const handler = nodeHandler(fakeApi({ '/v2/x': echo }));
  const url = await listen(t, async (request, response) => {
    const chunks = await request.toArray();
    request.body = JSON.parse(Buffer.concat(chunks).toString());
    handler(request, response);
  });
  t.deepEqual(await (await post(`${url}/v2/x`, '{"a":1}')).json(), { parsed: { a: 1 } });
  t.deepEqual(await (await post(`${url}/v2/x`, '{}')).json(), { parsed: {} });
});

test('a parser that left an empty object and the stream unread has parsed nothing', async (t) => {
  const handler = nodeHandler(fakeApi({ '/v2/x': echo }));
  const url = await listen(t, (request, response) => handler(Object.assign(request, { body: {} }), response));
  t.deepEqual(await (await post(`${url}/v2/x`, '{"a":1}')).json(), { text: '{"a":1}' });
});

test('a stream that somebody has read to its end, keeping nothing, is an empty body', async (t) => {
  const handler = nodeHandler(fakeApi({ '/v2/x': echo }));
  const url = await listen(t, async (request, response) => {
    await request.toArray();
    handler(request, response);
  });
  t.deepEqual(await (await post(`${url}/v2/x`, '{"a":1}')).json(), { text: '' });
});

test('an API that breaks its promise, or answers what HTTP cannot carry, is a 500 and no crash', async (t) => {
  const api = fakeApi({
    '/v2/rejects': () => Promise.reject(new Error('secret')),
    '/v2/header': () => json(200, {}, { 'X-Bad': 'a\nb' }),
    '/v2/status': () => json(99, {}),
  });
  const url = await own(t, api);
  for (const path of ['/v2/rejects', '/v2/header', '/v2/status']) {
    const response = await fetch(url + path);
    t.is(response.status, 500, path);
    t.deepEqual(await response.json(), { message: 'Something went wrong on our side' });
  }
});

test('a host that has answered already is left alone', async (t) => {
  const handler = nodeHandler(fakeApi());
  const url = await listen(t, (request, response) => {
    response.end('the host');
    handler(request, response);
  });
  t.is(await (await fetch(`${url}/v2/x`)).text(), 'the host');
});
