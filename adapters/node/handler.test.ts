import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { echo, portOf, stubApi } from '../../test/support/stub-api.js';
import { nodeHandler } from './handler.js';

type Listener = (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => void;

async function listen(t: ExecutionContext, listener: Listener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server.address())}`;
}

const post = (url: string, body: string) => fetch(url, { method: 'POST', body });

test('after a body parser the API receives the parsed body', async (t) => {
  const handler = nodeHandler(stubApi({ '/v2/x': echo }));
  const url = await listen(t, async (request, response) => {
    const chunks = await request.toArray();
    request.body = JSON.parse(Buffer.concat(chunks).toString());
    handler(request, response);
  });
  t.deepEqual(await (await post(`${url}/v2/x`, '{"a":1}')).json(), { parsed: { a: 1 } });
  t.deepEqual(await (await post(`${url}/v2/x`, '{}')).json(), { parsed: {} });
});

test('an empty object with an unread stream does not count as a parsed body', async (t) => {
  const handler = nodeHandler(stubApi({ '/v2/x': echo }));
  const url = await listen(t, (request, response) => handler(Object.assign(request, { body: {} }), response));
  t.deepEqual(await (await post(`${url}/v2/x`, '{"a":1}')).json(), { text: '{"a":1}' });
});

test('a stream that was read to its end without a parsed body is an empty body', async (t) => {
  const handler = nodeHandler(stubApi({ '/v2/x': echo }));
  const url = await listen(t, async (request, response) => {
    await request.toArray();
    handler(request, response);
  });
  t.deepEqual(await (await post(`${url}/v2/x`, '{"a":1}')).json(), { text: '' });
});

test('a response that the host has already sent is not touched', async (t) => {
  const handler = nodeHandler(stubApi());
  const url = await listen(t, (request, response) => {
    response.end('the host');
    handler(request, response);
  });
  t.is(await (await fetch(`${url}/v2/x`)).text(), 'the host');
});
