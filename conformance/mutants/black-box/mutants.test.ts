import test from 'ava';
import type { ApiRequest, ApiResponse } from '../../../core/index.js';
import { failuresIn, type Handle, runBlackBox, type ServeOptions, serveApi } from '../../../test/support/served-api.js';

/** A way for a service to be wrong, and the case that has to notice it first. */
type BlackBoxMutant = readonly [name: string, between: NonNullable<ServeOptions['middleware']>, noticedBy: RegExp];

/** Changes answers on their way out. */
const mutateResponse =
  (change: (answer: ApiResponse, request: ApiRequest) => ApiResponse): NonNullable<ServeOptions['middleware']> =>
  (handle) =>
  async (request) =>
    change(await handle(request), request);

/** Changes requests on their way in. */
const mutateRequest =
  (change: (request: ApiRequest) => ApiRequest): NonNullable<ServeOptions['middleware']> =>
  (handle) =>
  (request) =>
    handle(change(request));

const bodyText = ({ body }: ApiResponse): string => Buffer.concat(body).toString();

function withText(answer: ApiResponse, text: string): ApiResponse {
  const body = Buffer.from(text);
  return { ...answer, headers: { ...answer.headers, 'Content-Length': String(body.length) }, body: [body] };
}

/** Changes the records of lists, or what is shown of one. */
const mutateBody = (path: RegExp, change: (body: never) => unknown) =>
  mutateResponse((answer, { method, target }) =>
    method === 'GET' && answer.status === 200 && path.test(target.split('?')[0] ?? '')
      ? withText(answer, JSON.stringify(change(JSON.parse(bodyText(answer)) as never)))
      : answer,
  );

function withHeaders(answer: ApiResponse, change: Readonly<Record<string, string | undefined>>): ApiResponse {
  const headers = Object.entries({ ...answer.headers, ...change }).filter(([, value]) => value !== undefined);
  return { ...answer, headers: Object.fromEntries(headers) as Record<string, string> };
}

const dropQueryParameters = (names: RegExp) =>
  mutateRequest((request) => {
    const [path = '', query] = request.target.split('?');
    if (query === undefined) return request;
    const kept = query.split('&').filter((pair) => !names.test(pair));
    return { ...request, target: `${path}?${kept.join('&')}` };
  });

type Records = readonly Readonly<Record<string, unknown>>[];
const clusters = /\/clusters$/;

const readMutants: readonly BlackBoxMutant[] = [
  ['drops Link', mutateResponse((answer) => withHeaders(answer, { Link: undefined })), /^pages\./],
  [
    'tells of one page too many',
    mutateResponse((answer) => {
      const link = answer.headers.Link?.replace(
        /page=(\d+)(&per_page=\d+>; rel="last")/,
        (_, page, rest) => `page=${Number(page) + 1}${rest}`,
      );
      return withHeaders(answer, { Link: link });
    }),
    /^pages\./,
  ],
  [
    'forgets the query in links',
    mutateResponse((answer) => withHeaders(answer, { Link: answer.headers.Link?.replaceAll('unknown=x&', '') })),
    /^pages\./,
  ],
  [
    'answers 203 for 200',
    mutateResponse((answer) => ({ ...answer, status: answer.status === 200 ? 203 : answer.status })),
    /^root$/,
  ],
  [
    'shows a field that nobody declared',
    mutateBody(/\/clusters\/[^/]+$/, (body: object) => ({ ...body, digest: 'x' })),
    /^answers\.clusters\.get$/,
  ],
  [
    'leaves a field out',
    mutateBody(clusters, (body: Records) => body.map(({ emoji: _, ...rest }) => rest)),
    /^answers\.clusters\.list$/,
  ],
  [
    'loses the first record of a page',
    mutateBody(clusters, (body: Records) => body.slice(1)),
    /^pages\.clusters\.list$/,
  ],
  ['turns a list around', mutateBody(clusters, (body: Records) => [...body].reverse()), /^pages\.clusters\.list$/],
  [
    'shows a record otherwise than its list',
    mutateBody(/\/clusters\/[^/]+$/, (body: object) => ({ ...body, description: 'other' })),
    /^as-listed\.clusters\.list$/,
  ],
  ['ignores a filter of builds', dropQueryParameters(/^branch/), /^filters\.builds\./],
  ['ignores a state', dropQueryParameters(/^state/), /^filters\.builds\./],
  ['ignores a filter of agents', dropQueryParameters(/^hostname/), /^filters\.agents\.list$/],
  ['takes whatever page is asked for', dropQueryParameters(/^page=[^0-9]/), /^malformed-query\./],
  ['forgets Allow', mutateResponse((answer) => withHeaders(answer, { Allow: undefined })), /^wrong-method$/],
  [
    'says 404 for 405',
    mutateResponse((answer) => ({ ...answer, status: answer.status === 405 ? 404 : answer.status })),
    /^wrong-method$/,
  ],
  [
    'lets anybody look',
    (handle) => {
      let known: string | undefined;
      return (request) => {
        const given = request.headers.authorization;
        if (known === undefined && (given?.length ?? 0) > 40) known = given;
        return handle(
          request.method === 'GET' ? { ...request, headers: { ...request.headers, authorization: known } } : request,
        );
      };
    },
    /^unauthenticated$/,
  ],
  [
    'says 403 for 401',
    mutateResponse((answer) => ({ ...answer, status: answer.status === 401 ? 403 : answer.status })),
    /^unauthenticated$/,
  ],
  [
    'does not ask for a bearer token',
    mutateResponse((answer) => withHeaders(answer, { 'WWW-Authenticate': undefined })),
    /^unauthenticated$/,
  ],
  [
    'says that a record is missing in other words',
    mutateResponse((answer) => (answer.status === 404 ? withText(answer, '{"message":"Not Found"}') : answer)),
    /^unknown-organization$/,
  ],
  [
    'answers errors with a page',
    mutateResponse((answer) => (answer.status === 404 ? withText(answer, '<h1>404</h1>') : answer)),
    /^request-id$/,
  ],
  [
    'forgets CORS',
    mutateResponse((answer) => withHeaders(answer, { 'Access-Control-Allow-Origin': undefined })),
    /^root$/,
  ],
  [
    'has request ids of its own',
    mutateRequest((request) => ({ ...request, headers: { ...request.headers, 'x-request-id': undefined } })),
    /^request-id$/,
  ],
  [
    'leads to another host',
    mutateResponse((answer) => withText(answer, bodyText(answer).replaceAll('http://127.0.0.1', 'http://localhost'))),
    /^addresses-lead-back$/,
  ],
  [
    'answers OPTIONS with 200',
    mutateResponse((answer, { method }) =>
      method === 'OPTIONS' ? { ...withText(answer, '{}'), status: 200 } : answer,
    ),
    /^(no-route|options)$/,
  ],
  [
    'says something else to HEAD',
    mutateResponse((answer, { method }) => (method === 'HEAD' ? withHeaders(answer, { Link: undefined }) : answer)),
    /^head\./,
  ],
];

for (const [name, middleware, caughtBy] of readMutants) {
  test.serial(`a read-only run notices a service that ${name}`, async (t) => {
    const report = await runBlackBox(await serveApi(t, { middleware }), { readOnly: true, untilFailure: true });
    const [first = ''] = failuresIn(report);
    t.regex(/^Fail black-box\.(\S+):/.exec(first)?.[1] ?? '', caughtBy, first || 'nothing was noticed');
  });
}

test.serial('a read-only run notices a HEAD with a body', async (t) => {
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
  t.regex(first, /^Fail black-box\.head\.\S+: HEAD \S+ answered 200: a body where there must be none/);
});

/** Makes something of a request to a path, of which the rest is not told. */
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
    'clears what an update does not name',
    intercept(/PUT|PATCH/, /clusters\/[^/]+$/, async (handle, request) =>
      handle(withBody(request, { description: null, emoji: null, ...(await bodyOf(request)) })),
    ),
    /^clusters$/,
  ],
  [
    'says that it has deleted, and has not',
    (handle) => {
      const spared = new Set<string>();
      return async (request) => {
        const isFirst =
          request.method === 'DELETE' &&
          !/00000000/.test(request.target) &&
          /teams\/[^/]+$/.test(request.target) &&
          !spared.has(request.target);
        if (!isFirst) return handle(request);
        spared.add(request.target);
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
    'gives a name to all who want it',
    intercept(/POST/, /clusters$/, async (handle, request) => {
      const first = await bodyOf(request);
      const answer = await handle(withBody(request, first));
      return /already been taken/.test(bodyText(answer))
        ? handle(withBody(request, { ...first, name: `${'name' in first && first.name} again` }))
        : answer;
    }),
    /^clusters\.validation$/,
  ],
  [
    'pauses what is paused',
    intercept(/POST/, /pause_dispatch$/, async (handle, request) => {
      const answer = await handle(request);
      if (answer.status !== 422) return answer;
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
    'takes forms',
    intercept(/PUT/, /clusters\/[^/]+$/, async (handle, request) =>
      handle({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } }),
    ),
    /^refused-bodies$/,
  ],
];

for (const [name, middleware, caughtBy] of writeMutants) {
  test.serial(`a run with leave to write notices a service that ${name}`, async (t) => {
    const report = await runBlackBox(await serveApi(t, { middleware }), { untilFailure: true });
    const [first = ''] = failuresIn(report);
    t.regex(/^Fail black-box\.(\S+):/.exec(first)?.[1] ?? '', caughtBy, first || 'nothing was noticed');
  });
}
