import test from 'ava';
import type { ApiRequest, ApiResponse } from '../../../core/index.js';
import { failuresIn, type Handle, runBlackBox, type ServeOptions, serveApi } from '../../../test/support/served-api.js';

/** A faulty service, made by a middleware around the good one, and the case that must fail first. */
type BlackBoxMutant = readonly [name: string, middleware: NonNullable<ServeOptions['middleware']>, caughtBy: RegExp];

/** Changes responses before they are sent. */
const mutateResponse =
  (change: (response: ApiResponse, request: ApiRequest) => ApiResponse): NonNullable<ServeOptions['middleware']> =>
  (handle) =>
  async (request) =>
    change(await handle(request), request);

/** Changes requests before the API gets them. */
const mutateRequest =
  (change: (request: ApiRequest) => ApiRequest): NonNullable<ServeOptions['middleware']> =>
  (handle) =>
  (request) =>
    handle(change(request));

const bodyText = ({ body }: ApiResponse): string => Buffer.concat(body).toString();

function withText(response: ApiResponse, text: string): ApiResponse {
  const body = Buffer.from(text);
  return { ...response, headers: { ...response.headers, 'Content-Length': String(body.length) }, body: [body] };
}

/** Changes the parsed body of successful GET responses on a path. */
const mutateBody = (path: RegExp, change: (body: never) => unknown) =>
  mutateResponse((response, { method, target }) =>
    method === 'GET' && response.status === 200 && path.test(target.split('?')[0] ?? '')
      ? withText(response, JSON.stringify(change(JSON.parse(bodyText(response)) as never)))
      : response,
  );

function withHeaders(response: ApiResponse, change: Readonly<Record<string, string | undefined>>): ApiResponse {
  const headers = Object.entries({ ...response.headers, ...change }).filter(([, value]) => value !== undefined);
  return { ...response, headers: Object.fromEntries(headers) as Record<string, string> };
}

const dropQueryParameters = (names: RegExp) =>
  mutateRequest((request) => {
    const [path = '', query] = request.target.split('?');
    if (query === undefined) return request;
    const remaining = query.split('&').filter((pair) => !names.test(pair));
    return { ...request, target: `${path}?${remaining.join('&')}` };
  });

type Records = readonly Readonly<Record<string, unknown>>[];
const clusters = /\/clusters$/;

const readMutants: readonly BlackBoxMutant[] = [
  ['drops Link', mutateResponse((response) => withHeaders(response, { Link: undefined })), /^pages\./],
  [
    'reports one page too many',
    mutateResponse((response) => {
      const link = response.headers.Link?.replace(
        /page=(\d+)(&per_page=\d+>; rel="last")/,
        (_, page, rest) => `page=${Number(page) + 1}${rest}`,
      );
      return withHeaders(response, { Link: link });
    }),
    /^pages\./,
  ],
  [
    'drops the query in links',
    mutateResponse((response) => withHeaders(response, { Link: response.headers.Link?.replaceAll('unknown=x&', '') })),
    /^pages\./,
  ],
  [
    'answers 203 for 200',
    mutateResponse((response) => ({ ...response, status: response.status === 200 ? 203 : response.status })),
    /^root$/,
  ],
  [
    'adds an undeclared field',
    mutateBody(/\/clusters\/[^/]+$/, (body: object) => ({ ...body, digest: 'x' })),
    /^answers\.clusters\.get$/,
  ],
  [
    'omits a field',
    mutateBody(clusters, (body: Records) => body.map(({ emoji: _, ...rest }) => rest)),
    /^answers\.clusters\.list$/,
  ],
  [
    'loses the first record of a page',
    mutateBody(clusters, (body: Records) => body.slice(1)),
    /^pages\.clusters\.list$/,
  ],
  ['reverses a list', mutateBody(clusters, (body: Records) => [...body].reverse()), /^pages\.clusters\.list$/],
  [
    'renders a record differently from its list',
    mutateBody(/\/clusters\/[^/]+$/, (body: object) => ({ ...body, description: 'other' })),
    /^as-listed\.clusters\.list$/,
  ],
  ['ignores a filter of builds', dropQueryParameters(/^branch/), /^filters\.builds\./],
  ['ignores a state', dropQueryParameters(/^state/), /^filters\.builds\./],
  ['ignores a filter of agents', dropQueryParameters(/^hostname/), /^filters\.agents\.list$/],
  ['accepts every page parameter', dropQueryParameters(/^page=[^0-9]/), /^malformed-query\./],
  ['omits Allow', mutateResponse((response) => withHeaders(response, { Allow: undefined })), /^wrong-method$/],
  [
    'answers 404 for 405',
    mutateResponse((response) => ({ ...response, status: response.status === 405 ? 404 : response.status })),
    /^wrong-method$/,
  ],
  [
    'serves reads without a token',
    (handle) => {
      let knownAuthorization: string | undefined;
      return (request) => {
        const { authorization } = request.headers;
        if (knownAuthorization === undefined && (authorization?.length ?? 0) > 40) knownAuthorization = authorization;
        return handle(
          request.method === 'GET'
            ? { ...request, headers: { ...request.headers, authorization: knownAuthorization } }
            : request,
        );
      };
    },
    /^unauthenticated$/,
  ],
  [
    'answers 403 for 401',
    mutateResponse((response) => ({ ...response, status: response.status === 401 ? 403 : response.status })),
    /^unauthenticated$/,
  ],
  [
    'omits WWW-Authenticate',
    mutateResponse((response) => withHeaders(response, { 'WWW-Authenticate': undefined })),
    /^unauthenticated$/,
  ],
  [
    'has another message for a missing record',
    mutateResponse((response) => (response.status === 404 ? withText(response, '{"message":"Not Found"}') : response)),
    /^unknown-organization$/,
  ],
  [
    'answers errors with HTML',
    mutateResponse((response) => (response.status === 404 ? withText(response, '<h1>404</h1>') : response)),
    /^request-id$/,
  ],
  [
    'omits the CORS headers',
    mutateResponse((response) => withHeaders(response, { 'Access-Control-Allow-Origin': undefined })),
    /^root$/,
  ],
  [
    'ignores the request id of the client',
    mutateRequest((request) => ({ ...request, headers: { ...request.headers, 'x-request-id': undefined } })),
    /^request-id$/,
  ],
  [
    'has URLs of another host',
    mutateResponse((response) =>
      withText(response, bodyText(response).replaceAll('http://127.0.0.1', 'http://localhost')),
    ),
    /^addresses-lead-back$/,
  ],
  [
    'answers OPTIONS with 200',
    mutateResponse((response, { method }) =>
      method === 'OPTIONS' ? { ...withText(response, '{}'), status: 200 } : response,
    ),
    /^(no-route|options)$/,
  ],
  [
    'omits a header in responses to HEAD',
    mutateResponse((response, { method }) =>
      method === 'HEAD' ? withHeaders(response, { Link: undefined }) : response,
    ),
    /^head\./,
  ],
];

for (const [name, middleware, caughtBy] of readMutants) {
  test.serial(`a read-only run catches a service that ${name}`, async (t) => {
    const report = await runBlackBox(await serveApi(t, { middleware }), { readOnly: true, untilFailure: true });
    const [first = ''] = failuresIn(report);
    t.regex(/^Fail black-box\.(\S+):/.exec(first)?.[1] ?? '', caughtBy, first || 'no case failed');
  });
}

test.serial('a read-only run catches a HEAD with a body', async (t) => {
  const before: NonNullable<ServeOptions['before']> = ({ method, url }, response) => {
    if (method !== 'HEAD' || url === '/') return false;
    const cors = 'Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Link\r\nX-Request-Id: x';
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n${cors}\r\nConnection: close`;
    response.socket?.end(`${head}\r\nContent-Length: 2\r\n\r\n{}`);
    return true;
  };
  const [first = ''] = failuresIn(
    await runBlackBox(await serveApi(t, { before }), { readOnly: true, untilFailure: true }),
  );
  t.regex(first, /^Fail black-box\.head\.\S+: HEAD \S+ answered 200: a body where none is allowed/);
});

/** Handles requests that match the method and path with `change`, and passes all others on. */
const intercept =
  (method: RegExp, path: RegExp, change: (handle: Handle, request: ApiRequest) => Promise<ApiResponse>) =>
  (handle: Handle): Handle =>
  (request) =>
    method.test(request.method) && path.test(request.target) ? change(handle, request) : handle(request);

const bodyOf = async ({ body }: ApiRequest): Promise<object> =>
  'read' in body ? JSON.parse(Buffer.from((await body.read(1_000_000)) as Uint8Array).toString() || '{}') : {};
const withBody = (request: ApiRequest, body: object): ApiRequest => ({
  ...request,
  body: { read: async () => Buffer.from(JSON.stringify(body)) },
});

const writeMutants: readonly BlackBoxMutant[] = [
  [
    'clears fields that an update does not name',
    intercept(/PUT|PATCH/, /clusters\/[^/]+$/, async (handle, request) =>
      handle(withBody(request, { description: null, emoji: null, ...(await bodyOf(request)) })),
    ),
    /^clusters$/,
  ],
  [
    'answers 204 to a DELETE and deletes nothing',
    (handle) => {
      const ignoredTargets = new Set<string>();
      return async (request) => {
        const isFirst =
          request.method === 'DELETE' &&
          !/00000000/.test(request.target) &&
          /teams\/[^/]+$/.test(request.target) &&
          !ignoredTargets.has(request.target);
        if (!isFirst) return handle(request);
        ignoredTargets.add(request.target);
        return {
          status: 204,
          headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Link', 'X-Request-Id': 'x' },
          body: [],
        };
      };
    },
    /^teams$/,
  ],
  [
    'accepts a name that is taken',
    intercept(/POST/, /clusters$/, async (handle, request) => {
      const first = await bodyOf(request);
      const response = await handle(withBody(request, first));
      return /already been taken/.test(bodyText(response))
        ? handle(withBody(request, { ...first, name: `${'name' in first && first.name} again` }))
        : response;
    }),
    /^clusters\.validation$/,
  ],
  [
    'pauses a paused queue again',
    intercept(/POST/, /pause_dispatch$/, async (handle, request) => {
      const response = await handle(request);
      if (response.status !== 422) return response;
      return handle({ ...request, method: 'GET', target: request.target.replace('/pause_dispatch', '') });
    }),
    /^queues\.pause-and-resume$/,
  ],
  [
    'trims texts',
    intercept(/PATCH/, /clusters\/[^/]+$/, async (handle, request) => {
      const body = Object.entries(await bodyOf(request)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.trim() : value,
      ]);
      return handle(withBody(request, Object.fromEntries(body)));
    }),
    /^clusters$/,
  ],
  [
    'accepts form bodies',
    intercept(/PUT/, /clusters\/[^/]+$/, async (handle, request) =>
      handle({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } }),
    ),
    /^refused-bodies$/,
  ],
];

for (const [name, middleware, caughtBy] of writeMutants) {
  test.serial(`a run with write access catches a service that ${name}`, async (t) => {
    const report = await runBlackBox(await serveApi(t, { middleware }), { untilFailure: true });
    const [first = ''] = failuresIn(report);
    t.regex(/^Fail black-box\.(\S+):/.exec(first)?.[1] ?? '', caughtBy, first || 'no case failed');
  });
}
