import test from 'ava';
import type { ApiRequest, ApiResponse } from '../../core/index.js';
import { asked, type Handle, type ServeOptions, served, wrongIn } from './_served.test.js';

/** A way for a service to be wrong, and the case that has to notice it first. */
type Fault = readonly [name: string, between: NonNullable<ServeOptions['between']>, noticedBy: RegExp];

/** Changes answers on their way out. */
const answering =
  (change: (answer: ApiResponse, request: ApiRequest) => ApiResponse): NonNullable<ServeOptions['between']> =>
  (handle) =>
  async (request) =>
    change(await handle(request), request);

/** Changes requests on their way in. */
const asking =
  (change: (request: ApiRequest) => ApiRequest): NonNullable<ServeOptions['between']> =>
  (handle) =>
  (request) =>
    handle(change(request));

const textOf = ({ body }: ApiResponse): string => Buffer.concat(body).toString();

function withText(answer: ApiResponse, text: string): ApiResponse {
  const body = Buffer.from(text);
  return { ...answer, headers: { ...answer.headers, 'Content-Length': String(body.length) }, body: [body] };
}

/** Changes the records of lists, or what is shown of one. */
const showing = (path: RegExp, change: (body: never) => unknown) =>
  answering((answer, { method, target }) =>
    method === 'GET' && answer.status === 200 && path.test(target.split('?')[0] ?? '')
      ? withText(answer, JSON.stringify(change(JSON.parse(textOf(answer)) as never)))
      : answer,
  );

function withHeaders(answer: ApiResponse, change: Readonly<Record<string, string | undefined>>): ApiResponse {
  const headers = Object.entries({ ...answer.headers, ...change }).filter(([, value]) => value !== undefined);
  return { ...answer, headers: Object.fromEntries(headers) as Record<string, string> };
}

const withoutQuery = (names: RegExp) =>
  asking((request) => {
    const [path = '', query] = request.target.split('?');
    if (query === undefined) return request;
    const kept = query.split('&').filter((pair) => !names.test(pair));
    return { ...request, target: `${path}?${kept.join('&')}` };
  });

type Records = readonly Readonly<Record<string, unknown>>[];
const clusters = /\/clusters$/;

const looking: readonly Fault[] = [
  ['drops Link', answering((answer) => withHeaders(answer, { Link: undefined })), /^pages\./],
  [
    'tells of one page too many',
    answering((answer) => {
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
    answering((answer) => withHeaders(answer, { Link: answer.headers.Link?.replaceAll('unknown=x&', '') })),
    /^pages\./,
  ],
  [
    'answers 203 for 200',
    answering((answer) => ({ ...answer, status: answer.status === 200 ? 203 : answer.status })),
    /^root$/,
  ],
  [
    'shows a field that nobody declared',
    showing(/\/clusters\/[^/]+$/, (body: object) => ({ ...body, digest: 'x' })),
    /^answers\.clusters\.get$/,
  ],
  [
    'leaves a field out',
    showing(clusters, (body: Records) => body.map(({ emoji: _, ...rest }) => rest)),
    /^answers\.clusters\.list$/,
  ],
  ['loses the first record of a page', showing(clusters, (body: Records) => body.slice(1)), /^pages\.clusters\.list$/],
  ['turns a list around', showing(clusters, (body: Records) => [...body].reverse()), /^pages\.clusters\.list$/],
  [
    'shows a record otherwise than its list',
    showing(/\/clusters\/[^/]+$/, (body: object) => ({ ...body, description: 'other' })),
    /^as-listed\.clusters\.list$/,
  ],
  ['ignores a filter of builds', withoutQuery(/^branch/), /^filters\.builds\./],
  ['ignores a state', withoutQuery(/^state/), /^filters\.builds\./],
  ['ignores a filter of agents', withoutQuery(/^hostname/), /^filters\.agents\.list$/],
  ['takes whatever page is asked for', withoutQuery(/^page=[^0-9]/), /^malformed-query\./],
  ['forgets Allow', answering((answer) => withHeaders(answer, { Allow: undefined })), /^wrong-method$/],
  [
    'says 404 for 405',
    answering((answer) => ({ ...answer, status: answer.status === 405 ? 404 : answer.status })),
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
    answering((answer) => ({ ...answer, status: answer.status === 401 ? 403 : answer.status })),
    /^unauthenticated$/,
  ],
  [
    'does not ask for a bearer token',
    answering((answer) => withHeaders(answer, { 'WWW-Authenticate': undefined })),
    /^unauthenticated$/,
  ],
  [
    'says that a record is missing in other words',
    answering((answer) => (answer.status === 404 ? withText(answer, '{"message":"Not Found"}') : answer)),
    /^unknown-organization$/,
  ],
  [
    'answers errors with a page',
    answering((answer) => (answer.status === 404 ? withText(answer, '<h1>404</h1>') : answer)),
    /^request-id$/,
  ],
  ['forgets CORS', answering((answer) => withHeaders(answer, { 'Access-Control-Allow-Origin': undefined })), /^root$/],
  [
    'has request ids of its own',
    asking((request) => ({ ...request, headers: { ...request.headers, 'x-request-id': undefined } })),
    /^request-id$/,
  ],
  [
    'leads to another host',
    answering((answer) => withText(answer, textOf(answer).replaceAll('http://127.0.0.1', 'http://localhost'))),
    /^addresses-lead-back$/,
  ],
  [
    'answers OPTIONS with 200',
    answering((answer, { method }) => (method === 'OPTIONS' ? { ...withText(answer, '{}'), status: 200 } : answer)),
    /^(no-route|options)$/,
  ],
  [
    'says something else to HEAD',
    answering((answer, { method }) => (method === 'HEAD' ? withHeaders(answer, { Link: undefined }) : answer)),
    /^head\./,
  ],
];

for (const [name, between, noticedBy] of looking) {
  test.serial(`a read-only run notices a service that ${name}`, async (t) => {
    const report = await asked(await served(t, { between }), { readOnly: true, untilFailure: true });
    const [first = ''] = wrongIn(report);
    t.regex(/^Fail black-box\.(\S+):/.exec(first)?.[1] ?? '', noticedBy, first || 'nothing was noticed');
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
  const [first = ''] = wrongIn(await asked(await served(t, { before }), { readOnly: true, untilFailure: true }));
  t.regex(first, /^Fail black-box\.head\.\S+: HEAD \S+ answered 200: a body where there must be none/);
});

/** Makes something of a request to a path, of which the rest is not told. */
const instead =
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

const changing: readonly Fault[] = [
  [
    'clears what an update does not name',
    instead(/PUT|PATCH/, /clusters\/[^/]+$/, async (handle, request) =>
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
    instead(/POST/, /clusters$/, async (handle, request) => {
      const first = await bodyOf(request);
      const answer = await handle(withBody(request, first));
      return /already been taken/.test(textOf(answer))
        ? handle(withBody(request, { ...first, name: `${'name' in first && first.name} again` }))
        : answer;
    }),
    /^clusters\.validation$/,
  ],
  [
    'pauses what is paused',
    instead(/POST/, /pause_dispatch$/, async (handle, request) => {
      const answer = await handle(request);
      if (answer.status !== 422) return answer;
      return handle({ ...request, method: 'GET', target: request.target.replace('/pause_dispatch', '') });
    }),
    /^queues\.pause-and-resume$/,
  ],
  [
    'trims texts',
    instead(/PATCH/, /clusters\/[^/]+$/, async (handle, request) => {
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
    instead(/PUT/, /clusters\/[^/]+$/, async (handle, request) =>
      handle({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } }),
    ),
    /^refused-bodies$/,
  ],
];

for (const [name, between, noticedBy] of changing) {
  test.serial(`a run with leave to write notices a service that ${name}`, async (t) => {
    const report = await asked(await served(t, { between }), { untilFailure: true });
    const [first = ''] = wrongIn(report);
    t.regex(/^Fail black-box\.(\S+):/.exec(first)?.[1] ?? '', noticedBy, first || 'nothing was noticed');
  });
}
