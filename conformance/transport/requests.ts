import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { type Open, type TransportCase, transportCase } from './case.js';
import { bodyJson, get } from './messages.js';
import { json, recordingApi } from './recording-api.js';

const port = 'transport: ApiRequest';

/** Sends targets and returns those that the API receives. */
async function targets(open: Open, sent: readonly string[]): Promise<string[]> {
  const api = recordingApi();
  const send = await open(api);
  for (const target of sent) await send(get(target));
  return api.seen.map(({ target }) => target);
}

/** Methods, targets, headers and addresses reach the API unchanged. */
export const requestCases: readonly TransportCase[] = [
  transportCase('request.method', [port], [], async (open) => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    const api = recordingApi();
    const send = await open(api);
    for (const method of methods) await send({ method, target: '/v2/x' });
    deepStrictEqual(
      api.seen.map(({ method }) => method),
      methods,
    );
  }),

  transportCase('request.query', [port, 'decisions 1'], [], async (open) => {
    const sent = ['/v2/x?a=1&a=2&b[]=3&c', '/v2/x?a=%20+%2B&b=%C3%BC&m%5Bk%5D=v', '/v2/x?a=b?c=/d', '/v2?page=2'];
    deepStrictEqual(await targets(open, sent), sent);
  }),

  transportCase('request.escapes', [port, 'decisions 1'], [], async (open) => {
    const sent = ['/v2/a%2Fb%20c', '/v2/%C3%BC/%c3%bc', '/v2/a+b/~%7E', '/v2/x%3Fy%23z', '/v2/x/'];
    deepStrictEqual(await targets(open, sent), sent);
  }),

  transportCase('request.raw-target', [port, 'decisions 1'], ['raw-targets'], async (open) => {
    const sent = ['/v2/../v2/x', '/v2/./x', '/v2//x', '/v2/{a}|b', "/v2/x?q='a'&b=<>", '/v2/\\x'];
    deepStrictEqual(await targets(open, sent), sent);
  }),

  transportCase('request.malformed-escape', [port, 'decisions 12'], ['malformed-escapes'], async (open) => {
    const sent = ['/v2/%zz', '/v2/%ff', '/v2/x?a=%', '/v2/%'];
    deepStrictEqual(await targets(open, sent), sent);
  }),

  transportCase('request.absolute-target', [port], ['raw-targets'], async (open) => {
    const sent = ['http://other.example/v2/x?y=http://z/', 'http://other.example:80/v2'];
    deepStrictEqual(await targets(open, sent), ['/v2/x?y=http://z/', '/v2']);
  }),

  transportCase('request.headers', [port], [], async (open) => {
    const api = recordingApi();
    const send = await open(api);
    await send(
      get('/v2/x', ['X-Some-Name', 'Some Value'], ['authorization', 'Bearer aB'], ['X-EMPTY', ''], ['__proto__', 'x']),
    );
    const headers = api.seen[0]?.headers;
    strictEqual(headers?.['x-some-name'], 'Some Value');
    strictEqual(headers?.authorization, 'Bearer aB');
    strictEqual(headers?.['x-empty'], '');
    for (const absent of ['X-Some-Name', 'x-absent', 'constructor', 'toString'])
      strictEqual(headers?.[absent], undefined);
  }),

  transportCase('request.header-twice', [port], [], async (open) => {
    const api = recordingApi();
    const send = await open(api);
    const twice = ['X-A', 'Authorization', 'Content-Type', 'X-Request-Id'];
    await send(
      get(
        '/v2/x',
        ...twice.flatMap((name): [string, string][] => [
          [name, 'one'],
          [name.toLowerCase(), 'two'],
        ]),
      ),
    );
    for (const name of twice) strictEqual(api.seen[0]?.headers[name.toLowerCase()], 'one, two');
  }),

  transportCase('request.header-bytes', [port], [], async (open) => {
    const api = recordingApi();
    const send = await open(api);
    await send(get('/v2/x', ['X-Name', 'caf\u00e9 \u00c3\u00bc']));
    strictEqual(api.seen[0]?.headers['x-name'], 'caf\u00e9 \u00c3\u00bc');
  }),

  transportCase('request.address', [port], ['sockets'], async (open) => {
    const api = recordingApi();
    const send = await open(api);
    await send(get('/v2/x'));
    match(String(api.seen[0]?.remoteAddress), /^(::ffff:)?127\.0\.0\.1$|^::1$/);
  }),

  transportCase('request.concurrent', [port], [], async (open) => {
    const count = 40;
    const waiting: (() => void)[] = [];
    const api = recordingApi(async ({ target, headers, body }) => {
      const read = 'read' in body ? await body.read(100) : 'parsed';
      // All requests are answered after the last one has arrived, in reverse order.
      await new Promise<void>((resolve) => {
        if (waiting.unshift(resolve) === count) for (const go of waiting) go();
      });
      return json(200, { target, id: headers['x-id'], read: [...read] });
    });
    const send = await open(api);
    const numbers = Array.from({ length: count }, (_, number) => number);
    const responses = await Promise.all(
      numbers.map((number) =>
        send({
          method: 'POST',
          target: `/v2/${number}`,
          headers: [['X-Id', `${number}`]],
          body: Uint8Array.of(number),
        }),
      ),
    );
    deepStrictEqual(
      responses.map(bodyJson),
      numbers.map((number) => ({ target: `/v2/${number}`, id: `${number}`, read: [number] })),
    );
  }),
];
