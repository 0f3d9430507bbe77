import type { ApiRequest, ApiResponse, HttpApi } from '../../../core/ports/index.js';
import type { RawRequest, RawResponse, Send, TransportHarness } from '../../transport/case.js';

/** A way for a transport to be wrong: in what it tells the API, in what it does with the answer, or on the wire. */
export interface TransportMutant {
  readonly name: string;
  readonly mutate: (harness: TransportHarness) => TransportHarness;
}

/** The same transport, but for what the fault changes. */
export const applyTransportMutant = (harness: TransportHarness, { mutate }: TransportMutant): TransportHarness =>
  mutate(harness);

const apiMutant = (name: string, change: (api: HttpApi) => Partial<HttpApi>): TransportMutant => ({
  name,
  mutate: ({ open }) => ({
    open: (api, options) =>
      open({ matches: api.matches.bind(api), handle: api.handle.bind(api), ...change(api) }, options),
  }),
});

const requestMutant = (name: string, change: (request: ApiRequest) => Partial<ApiRequest>): TransportMutant =>
  apiMutant(name, (api) => ({ handle: (request) => api.handle(withChanges(request, change(request))) }));

const responseMutant = (
  name: string,
  change: (response: ApiResponse, request: ApiRequest) => Partial<ApiResponse>,
): TransportMutant =>
  apiMutant(name, (api) => ({
    handle: async (request) => {
      const response = await api.handle(request);
      return { ...response, ...change(response, request) };
    },
  }));

const clientMutant = (name: string, change: (send: Send) => Send): TransportMutant => ({
  name,
  mutate: ({ open }) => ({
    async open(api, options) {
      const { send, close } = await open(api, options);
      return { send: change(send), close };
    },
  }),
});

const receivedResponseMutant = (
  name: string,
  change: (response: RawResponse, request: RawRequest) => Partial<RawResponse>,
): TransportMutant =>
  clientMutant(name, (send) => async (request, abortSignal) => {
    const response = await send(request, abortSignal);
    return { ...response, ...change(response, request) };
  });

/** Requests have getters, which must not be called before the API does. */
const withChanges = (request: ApiRequest, change: Partial<ApiRequest>): ApiRequest =>
  Object.create(request, Object.getOwnPropertyDescriptors(change)) as ApiRequest;

const mapHeaders = (headers: ApiRequest['headers'], map: (name: string, value: string) => [string, string]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => map(name, value)));

const bodyReadMutant = (
  name: string,
  change: (read: (limit: number) => Promise<Uint8Array | 'too_large'>) => typeof read,
): TransportMutant => requestMutant(name, ({ body }) => ('read' in body ? { body: { read: change(body.read) } } : {}));

const omitHeaders = (headers: ApiResponse['headers'], ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** Mistakes that transports are known for. The suite must notice each of them; that is what shows that it sees anything. */
export const transportMutants: readonly TransportMutant[] = [
  requestMutant('forgets the query', ({ target }) => ({ target: target.split('?')[0] ?? '' })),
  requestMutant('decodes the path', ({ target }) => ({
    target: decodeURIComponent(target.replace(/%(?![0-9a-f]{2})/gi, '%25')),
  })),
  requestMutant('writes escapes in upper case', ({ target }) => ({
    target: target.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase()),
  })),
  requestMutant('takes + for a space', ({ target }) => ({ target: target.replaceAll('+', '%20') })),
  requestMutant('resolves dots', ({ target }) => {
    const { pathname, search } = new URL(`http://x${target}`);
    return { target: pathname + search };
  }),
  requestMutant('drops a trailing slash', ({ target }) => ({ target: target.replace(/(.)\/$/, '$1') })),
  requestMutant('leaves the prefix on', ({ target }) => ({ target: `/ci${target}` })),
  requestMutant('takes HEAD for GET', ({ method }) => ({ method: method === 'HEAD' ? 'GET' : method })),
  requestMutant('passes names of headers on as they were written', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name.replace(/(^|-)\w/g, (start) => start.toUpperCase()), value]),
  })),
  requestMutant('keeps the first of two headers', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, value.split(', ')[0] ?? '']),
  })),
  requestMutant('finds methods of objects among the headers', ({ headers }) => ({ headers: { ...headers } })),
  requestMutant('reads headers as UTF-8', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, Buffer.from(value, 'latin1').toString()]),
  })),
  requestMutant('does not know the client', () => ({ remoteAddress: undefined })),
  requestMutant('does not tell that the client has gone', () => ({ signal: new AbortController().signal })),
  requestMutant('takes every client for gone', () => ({ signal: AbortSignal.abort() })),
  requestMutant('parses JSON by itself', ({ body, headers }) =>
    headers['content-type'] === 'application/json' && 'read' in body ? { body: { parsed: {} } } : {},
  ),
  requestMutant('does not see what the host has parsed', ({ body }) =>
    'parsed' in body ? { body: { read: async () => new Uint8Array() } } : {},
  ),
  bodyReadMutant('reads a body a second time', (read) => {
    let before = false;
    return async (limit) => {
      if (before) return new Uint8Array();
      before = true;
      return read(limit);
    };
  }),
  bodyReadMutant('has no limit', (read) => () => read(Number.MAX_SAFE_INTEGER)),
  bodyReadMutant('counts the limit itself as too much', (read) => (limit) => read(limit - 1)),
  bodyReadMutant('reads a body as text', (read) => async (limit) => {
    const bytes = await read(limit);
    return bytes === 'too_large' ? bytes : Buffer.from(Buffer.from(bytes).toString());
  }),
  bodyReadMutant('takes half a body for a whole one', (read) => (limit) => read(limit).catch(() => new Uint8Array())),
  responseMutant('always answers 200', () => ({ status: 200 })),
  responseMutant('writes names of headers in lower case', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name.toLowerCase(), value]),
  })),
  responseMutant('writes headers as UTF-8', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, Buffer.from(value).toString('latin1')]),
  })),
  responseMutant('loses a header', ({ headers }) => ({ headers: omitHeaders(headers, 'Link') })),
  responseMutant('adds a content type', ({ headers }) => ({ headers: { 'Content-Type': 'text/plain', ...headers } })),
  responseMutant('gives the length of the first chunk', ({ headers, body }) => ({
    headers: body.length > 1 ? { ...headers, 'Content-Length': String(body[0]?.length) } : headers,
  })),
  responseMutant('turns the chunks around', ({ body }) => ({ body: [...body].reverse() })),
  responseMutant('loses the last chunk', ({ body }) => ({ body: body.length > 1 ? body.slice(0, -1) : body })),
  responseMutant('keeps the chunks for itself', ({ body }) => {
    const own = body.map((chunk) => chunk.slice());
    for (const chunk of body) chunk.fill(0);
    return { body: own };
  }),
  responseMutant('writes chunks as text', ({ body }) => ({
    body: body.map((chunk) => Buffer.from(Buffer.from(chunk).toString('latin1'))),
  })),
  responseMutant('gives HEAD a length of 0', ({ headers }, { method }) =>
    method === 'HEAD' ? { headers: { ...headers, 'Content-Length': '0' } } : {},
  ),
  receivedResponseMutant('sends a body on HEAD', (_, { method }) =>
    method === 'HEAD' ? { body: Uint8Array.of(1) } : {},
  ),
  receivedResponseMutant('sends a length with 204', ({ status, headers }) =>
    status === 204 ? { headers: [...headers, ['Content-Length', '0']] } : {},
  ),
  apiMutant('takes every path for the API', () => ({ matches: () => true })),
  apiMutant('takes no path for the API', () => ({ matches: () => false })),
  apiMutant('takes the prefix off twice', (api) => {
    const again = (target: string) => target.replace(/^\/ci\//, '/');
    return {
      matches: (method, target) => api.matches(method, again(target)),
      handle: (request) => api.handle(withChanges(request, { target: again(request.target) })),
    };
  }),
  apiMutant('asks for the path with its prefix', (api) => ({
    matches: (method, target) => api.matches(method, `/ci${target}`),
  })),
  apiMutant('shows what went wrong', (api) => ({
    handle: async (request) => {
      try {
        return await api.handle(request);
      } catch (error) {
        return { status: 500, headers: {}, body: [Buffer.from(String(error))] };
      }
    },
  })),
  apiMutant('mixes requests', (api) => {
    let before: ApiRequest | undefined;
    return {
      handle: (request) => {
        const target = before?.target ?? request.target;
        before = request;
        return api.handle(withChanges(request, { target }));
      },
    };
  }),
  clientMutant('hangs up after a body that nobody wanted', (send) => {
    let spoilt = false;
    return async (request, abortSignal) => {
      if (spoilt) throw new Error('The connection is gone');
      spoilt = request.target === '/v2/unread';
      return send(request, abortSignal);
    };
  }),
];
