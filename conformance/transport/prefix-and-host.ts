import { deepStrictEqual, strictEqual } from 'node:assert';
import { type TransportCase, transportCase } from './case.js';
import { bodyText, get, headerValues, post } from './messages.js';
import { bytes, echo, json, recordingApi } from './recording-api.js';

const port = 'transport: HttpApi.matches';
const prefix = '/ci';

/** An API among the routes of a host program, and below a prefix. */
export const prefixAndHostCases: readonly TransportCase[] = [
  transportCase('prefix.taken-off', ['transport: ApiRequest.target'], [], async (open) => {
    const api = recordingApi();
    const send = await open(api, { prefix });
    const below = ['/v2/x', '/v2?page=2', '/v2/a%2Fb?c[]=%C3%BC&d=+', '/v2/x/'];
    for (const target of below) strictEqual((await send(get(prefix + target))).status, 200);
    deepStrictEqual(
      api.seen.map(({ target }) => target),
      below,
    );
  }),

  transportCase('prefix.taken-off-once', ['transport: ApiRequest.target'], [], async (open) => {
    const api = recordingApi(({ target }) => json(target.startsWith('/v2') ? 200 : 404, {}));
    const send = await open(api, { prefix });
    strictEqual((await send(get('/ci/v2/ci/v2'))).status, 200);
    strictEqual(api.seen[0]?.target, '/v2/ci/v2');
    await send(get('/ci/ci/v2/x'));
    strictEqual(api.seen[1]?.target ?? '/ci/v2/x', '/ci/v2/x');
  }),

  transportCase('prefix.whole-segments', ['transport: HttpApi.matches'], [], async (open) => {
    const api = recordingApi();
    const send = await open(api, { prefix });
    for (const target of ['/v2/x', '/cix/v2/x', '/x/ci/v2/x']) await send(get(target));
    deepStrictEqual(api.seen, []);
  }),

  transportCase('prefix.with-a-body', ['transport: RequestBody'], [], async (open) => {
    const send = await open(recordingApi(echo), { prefix });
    strictEqual(bodyText(await send(post('/ci/v2/x', bytes('a')))), '{"bytes":[97]}');
  }),

  transportCase('host.keeps-its-own', [port], ['own-routes'], async (open) => {
    for (const options of [{}, { prefix }]) {
      const api = recordingApi();
      const send = await open(api, options);
      for (const target of ['/about', '/v3/x', '/v2x', `${options.prefix ?? ''}/about`]) {
        const response = await send(get(target));
        strictEqual(response.status, 200, target);
        strictEqual(bodyText(response), 'the host', target);
      }
      deepStrictEqual(api.seen, []);
    }
  }),

  transportCase('host.is-none', ['decisions 1'], ['alone'], async (open) => {
    const api = recordingApi(({ target }) => json(404, { message: `No route matches GET ${target}` }));
    const alone = await open(api);
    strictEqual(bodyText(await alone(get('/about'))), '{"message":"No route matches GET /about"}');
    const below = await open(api, { prefix });
    const response = await below(get('/v2/x?y=1'));
    strictEqual(response.status, 404);
    strictEqual(bodyText(response), '{"message":"No route matches GET /v2/x"}');
    deepStrictEqual(headerValues(response, 'Access-Control-Allow-Origin'), ['*']);
    deepStrictEqual(headerValues(response, 'Access-Control-Expose-Headers'), ['Link']);
  }),
];
