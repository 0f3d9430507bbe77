import type { ApiRequest, ApiResponse, HttpApi } from '../../../core/ports/index.js';
import type { RawRequest, RawResponse, Send, TransportHarness } from '../../transport/case.js';

/** A fault of a transport: in the request that it passes on, in the response, or on the wire. */
export interface TransportMutant {
  readonly name: string;
  readonly mutate: (harness: TransportHarness) => TransportHarness;
}

/** The transport with the fault. */
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

/** Copies a request without calling its getters: only the API may call them. */
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

/** Faults that transports are likely to have. The suite must catch each of them. */
export const transportMutants: readonly TransportMutant[] = [
  requestMutant('drops the query', ({ target }) => ({ target: target.split('?')[0] ?? '' })),
  requestMutant('decodes the path', ({ target }) => ({
    target: decodeURIComponent(target.replace(/%(?![0-9a-f]{2})/gi, '%25')),
  })),
  requestMutant('writes escapes in upper case', ({ target }) => ({
    target: target.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase()),
  })),
  requestMutant('replaces + by a space', ({ target }) => ({ target: target.replaceAll('+', '%20') })),
  requestMutant('resolves dot segments', ({ target }) => {
    const { pathname, search } = new URL(`http://x${target}`);
    return { target: pathname + search };
  }),
  requestMutant('drops a trailing slash', ({ target }) => ({ target: target.replace(/(.)\/$/, '$1') })),
  requestMutant('does not remove the prefix', ({ target }) => ({ target: `/ci${target}` })),
  requestMutant('passes HEAD on as GET', ({ method }) => ({ method: method === 'HEAD' ? 'GET' : method })),
  requestMutant('does not put header names in lower case', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name.replace(/(^|-)\w/g, (start) => start.toUpperCase()), value]),
  })),
  requestMutant('drops the second of two equal headers', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, value.split(', ')[0] ?? '']),
  })),
  requestMutant('has headers with a prototype', ({ headers }) => ({ headers: { ...headers } })),
  requestMutant('reads headers as UTF-8', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, Buffer.from(value, 'latin1').toString()]),
  })),
  requestMutant('omits the address of the client', () => ({ remoteAddress: undefined })),
  requestMutant('never aborts the signal', () => ({ signal: new AbortController().signal })),
  requestMutant('aborts the signal of every request', () => ({ signal: AbortSignal.abort() })),
  requestMutant('parses JSON itself', ({ body, headers }) =>
    headers['content-type'] === 'application/json' && 'read' in body ? { body: { parsed: {} } } : {},
  ),
  requestMutant('ignores a body that the host has parsed', ({ body }) =>
    'parsed' in body ? { body: { read: async () => new Uint8Array() } } : {},
  ),
  bodyReadMutant('returns an empty body on the second read', (read) => {
    let hasRead = false;
    return async (limit) => {
      if (hasRead) return new Uint8Array();
      hasRead = true;
      return read(limit);
    };
  }),
  bodyReadMutant('ignores the limit of a body', (read) => () => read(Number.MAX_SAFE_INTEGER)),
  bodyReadMutant('refuses a body of exactly the limit', (read) => (limit) => read(limit - 1)),
  bodyReadMutant('decodes a body as text', (read) => async (limit) => {
    const bytes = await read(limit);
    return bytes === 'too_large' ? bytes : Buffer.from(Buffer.from(bytes).toString());
  }),
  bodyReadMutant('treats an aborted body as complete', (read) => (limit) => read(limit).catch(() => new Uint8Array())),
  responseMutant('always answers 200', () => ({ status: 200 })),
  responseMutant('writes header names in lower case', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name.toLowerCase(), value]),
  })),
  responseMutant('writes headers as UTF-8', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, Buffer.from(value).toString('latin1')]),
  })),
  responseMutant('loses a header', ({ headers }) => ({ headers: omitHeaders(headers, 'Link') })),
  responseMutant('adds a content type', ({ headers }) => ({ headers: { 'Content-Type': 'text/plain', ...headers } })),
  responseMutant('sets the length of the first chunk only', ({ headers, body }) => ({
    headers: body.length > 1 ? { ...headers, 'Content-Length': String(body[0]?.length) } : headers,
  })),
  responseMutant('reverses the chunks', ({ body }) => ({ body: [...body].reverse() })),
  responseMutant('loses the last chunk', ({ body }) => ({ body: body.length > 1 ? body.slice(0, -1) : body })),
  responseMutant('overwrites the chunks of the API', ({ body }) => {
    const copies = body.map((chunk) => chunk.slice());
    for (const chunk of body) chunk.fill(0);
    return { body: copies };
  }),
  responseMutant('writes chunks as text', ({ body }) => ({
    body: body.map((chunk) => Buffer.from(Buffer.from(chunk).toString('latin1'))),
  })),
  responseMutant('answers HEAD with a length of 0', ({ headers }, { method }) =>
    method === 'HEAD' ? { headers: { ...headers, 'Content-Length': '0' } } : {},
  ),
  receivedResponseMutant('sends a body on HEAD', (_, { method }) =>
    method === 'HEAD' ? { body: Uint8Array.of(1) } : {},
  ),
  receivedResponseMutant('sends a length with 204', ({ status, headers }) =>
    status === 204 ? { headers: [...headers, ['Content-Length', '0']] } : {},
  ),
  apiMutant('matches every path', () => ({ matches: () => true })),
  apiMutant('matches no path', () => ({ matches: () => false })),
  apiMutant('removes the prefix twice', (api) => {
    const withoutPrefix = (target: string) => target.replace(/^\/ci\//, '/');
    return {
      matches: (method, target) => api.matches(method, withoutPrefix(target)),
      handle: (request) => api.handle(withChanges(request, { target: withoutPrefix(request.target) })),
    };
  }),
  apiMutant('matches the path with its prefix', (api) => ({
    matches: (method, target) => api.matches(method, `/ci${target}`),
  })),
  apiMutant('puts the error into the response', (api) => ({
    handle: async (request) => {
      try {
        return await api.handle(request);
      } catch (error) {
        return { status: 500, headers: {}, body: [Buffer.from(String(error))] };
      }
    },
  })),
  apiMutant('passes on the target of the previous request', (api) => {
    let before: ApiRequest | undefined;
    return {
      handle: (request) => {
        const target = before?.target ?? request.target;
        before = request;
        return api.handle(withChanges(request, { target }));
      },
    };
  }),
  clientMutant('closes the connection after an unread body', (send) => {
    let isClosed = false;
    return async (request, abortSignal) => {
      if (isClosed) throw new Error('The connection is closed');
      isClosed = request.target === '/v2/unread';
      return send(request, abortSignal);
    };
  }),
];
