import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';
import type { RawAnswer, RawRequest, Send, TransportHarness } from './case.js';

/** A way for a transport to be wrong: in what it tells the API, in what it does with the answer, or on the wire. */
export interface Fault {
  readonly name: string;
  readonly breaks: (harness: TransportHarness) => TransportHarness;
}

/** The same transport, but for what the fault changes. */
export const broken = (harness: TransportHarness, { breaks }: Fault): TransportHarness => breaks(harness);

const between = (name: string, change: (api: HttpApi) => Partial<HttpApi>): Fault => ({
  name,
  breaks: ({ open }) => ({
    open: (api, options) =>
      open({ matches: api.matches.bind(api), handle: api.handle.bind(api), ...change(api) }, options),
  }),
});

const asking = (name: string, change: (request: ApiRequest) => Partial<ApiRequest>): Fault =>
  between(name, (api) => ({ handle: (request) => api.handle(changed(request, change(request))) }));

const answering = (name: string, change: (answer: ApiResponse, request: ApiRequest) => Partial<ApiResponse>): Fault =>
  between(name, (api) => ({
    handle: async (request) => {
      const answer = await api.handle(request);
      return { ...answer, ...change(answer, request) };
    },
  }));

const onTheWire = (name: string, change: (send: Send) => Send): Fault => ({
  name,
  breaks: ({ open }) => ({
    async open(api, options) {
      const { send, close } = await open(api, options);
      return { send: change(send), close };
    },
  }),
});

const received = (name: string, change: (answer: RawAnswer, request: RawRequest) => Partial<RawAnswer>): Fault =>
  onTheWire(name, (send) => async (request, leave) => {
    const answer = await send(request, leave);
    return { ...answer, ...change(answer, request) };
  });

/** Requests have getters, which must not be called before the API does. */
const changed = (request: ApiRequest, change: Partial<ApiRequest>): ApiRequest =>
  Object.create(request, Object.getOwnPropertyDescriptors(change)) as ApiRequest;

const mapHeaders = (headers: ApiRequest['headers'], map: (name: string, value: string) => [string, string]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => map(name, value)));

const reading = (
  name: string,
  change: (read: (limit: number) => Promise<Uint8Array | 'too_large'>) => typeof read,
): Fault => asking(name, ({ body }) => ('read' in body ? { body: { read: change(body.read) } } : {}));

const without = (headers: ApiResponse['headers'], ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** Mistakes that transports are known for. The suite must notice each of them; that is what shows that it sees anything. */
export const faults: readonly Fault[] = [
  asking('forgets the query', ({ target }) => ({ target: target.split('?')[0] ?? '' })),
  asking('decodes the path', ({ target }) => ({
    target: decodeURIComponent(target.replace(/%(?![0-9a-f]{2})/gi, '%25')),
  })),
  asking('writes escapes in upper case', ({ target }) => ({
    target: target.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase()),
  })),
  asking('takes + for a space', ({ target }) => ({ target: target.replaceAll('+', '%20') })),
  asking('resolves dots', ({ target }) => {
    const { pathname, search } = new URL(`http://x${target}`);
    return { target: pathname + search };
  }),
  asking('drops a trailing slash', ({ target }) => ({ target: target.replace(/(.)\/$/, '$1') })),
  asking('leaves the prefix on', ({ target }) => ({ target: `/ci${target}` })),
  asking('takes HEAD for GET', ({ method }) => ({ method: method === 'HEAD' ? 'GET' : method })),
  asking('passes names of headers on as they were written', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name.replace(/(^|-)\w/g, (start) => start.toUpperCase()), value]),
  })),
  asking('keeps the first of two headers', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, value.split(', ')[0] ?? '']),
  })),
  asking('finds methods of objects among the headers', ({ headers }) => ({ headers: { ...headers } })),
  asking('reads headers as UTF-8', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, Buffer.from(value, 'latin1').toString()]),
  })),
  asking('does not know the client', () => ({ remoteAddress: undefined })),
  asking('does not tell that the client has gone', () => ({ signal: new AbortController().signal })),
  asking('takes every client for gone', () => ({ signal: AbortSignal.abort() })),
  asking('parses JSON by itself', ({ body, headers }) =>
    headers['content-type'] === 'application/json' && 'read' in body ? { body: { parsed: {} } } : {},
  ),
  asking('does not see what the host has parsed', ({ body }) =>
    'parsed' in body ? { body: { read: async () => new Uint8Array() } } : {},
  ),
  reading('reads a body a second time', (read) => {
    let before = false;
    return async (limit) => {
      if (before) return new Uint8Array();
      before = true;
      return read(limit);
    };
  }),
  reading('has no limit', (read) => () => read(Number.MAX_SAFE_INTEGER)),
  reading('counts the limit itself as too much', (read) => (limit) => read(limit - 1)),
  reading('reads a body as text', (read) => async (limit) => {
    const bytes = await read(limit);
    return bytes === 'too_large' ? bytes : Buffer.from(Buffer.from(bytes).toString());
  }),
  reading('takes half a body for a whole one', (read) => (limit) => read(limit).catch(() => new Uint8Array())),
  answering('always answers 200', () => ({ status: 200 })),
  answering('writes names of headers in lower case', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name.toLowerCase(), value]),
  })),
  answering('writes headers as UTF-8', ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [name, Buffer.from(value).toString('latin1')]),
  })),
  answering('loses a header', ({ headers }) => ({ headers: without(headers, 'Link') })),
  answering('adds a content type', ({ headers }) => ({ headers: { 'Content-Type': 'text/plain', ...headers } })),
  answering('gives the length of the first chunk', ({ headers, body }) => ({
    headers: body.length > 1 ? { ...headers, 'Content-Length': String(body[0]?.length) } : headers,
  })),
  answering('turns the chunks around', ({ body }) => ({ body: [...body].reverse() })),
  answering('loses the last chunk', ({ body }) => ({ body: body.length > 1 ? body.slice(0, -1) : body })),
  answering('keeps the chunks for itself', ({ body }) => {
    const own = body.map((chunk) => chunk.slice());
    for (const chunk of body) chunk.fill(0);
    return { body: own };
  }),
  answering('writes chunks as text', ({ body }) => ({
    body: body.map((chunk) => Buffer.from(Buffer.from(chunk).toString('latin1'))),
  })),
  answering('gives HEAD a length of 0', ({ headers }, { method }) =>
    method === 'HEAD' ? { headers: { ...headers, 'Content-Length': '0' } } : {},
  ),
  received('sends a body on HEAD', (_, { method }) => (method === 'HEAD' ? { body: Uint8Array.of(1) } : {})),
  received('sends a length with 204', ({ status, headers }) =>
    status === 204 ? { headers: [...headers, ['Content-Length', '0']] } : {},
  ),
  between('takes every path for the API', () => ({ matches: () => true })),
  between('takes no path for the API', () => ({ matches: () => false })),
  between('takes the prefix off twice', (api) => {
    const again = (target: string) => target.replace(/^\/ci\//, '/');
    return {
      matches: (method, target) => api.matches(method, again(target)),
      handle: (request) => api.handle(changed(request, { target: again(request.target) })),
    };
  }),
  between('asks for the path with its prefix', (api) => ({
    matches: (method, target) => api.matches(method, `/ci${target}`),
  })),
  between('shows what went wrong', (api) => ({
    handle: async (request) => {
      try {
        return await api.handle(request);
      } catch (error) {
        return { status: 500, headers: {}, body: [Buffer.from(String(error))] };
      }
    },
  })),
  between('mixes requests', (api) => {
    let before: ApiRequest | undefined;
    return {
      handle: (request) => {
        const target = before?.target ?? request.target;
        before = request;
        return api.handle(changed(request, { target }));
      },
    };
  }),
  onTheWire('hangs up after a body that nobody wanted', (send) => {
    let spoilt = false;
    return async (request, leave) => {
      if (spoilt) throw new Error('The connection is gone');
      spoilt = request.target === '/v2/unread';
      return send(request, leave);
    };
  }),
];
