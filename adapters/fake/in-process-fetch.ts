import type { HttpApi } from '../../core/index.js';
import { bodyReader } from './request.js';

export type InProcessFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A function like the global `fetch` that calls an API in this process. A URL that is not below the base URL rejects with a
 * `TypeError`, like a failed connection.
 */
export function inProcessFetch(api: HttpApi, baseUrl: string): InProcessFetch {
  const base = new URL(`${baseUrl}/`);
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : resolveUrl(input, base), init);
    const url = new URL(request.url);
    if (url.origin !== base.origin || !`${url.pathname}/`.startsWith(base.pathname)) {
      throw new TypeError(`fetch failed: ${request.url} is not below ${baseUrl}`);
    }
    request.signal.throwIfAborted();
    const apiResponse = await api.handle({
      method: request.method,
      target: `/${url.pathname.slice(base.pathname.length)}${url.search}`,
      headers: Object.fromEntries(request.headers),
      remoteAddress: '127.0.0.1',
      signal: request.signal,
      body:
        request.body === null
          ? { parsed: undefined }
          : { read: async (limit) => bodyReader(await bytesOf(request))(limit) },
    });
    request.signal.throwIfAborted();
    const { status, headers } = apiResponse;
    const hasBody = request.method !== 'HEAD' && !statusesWithoutBody.has(status);
    return new Response(hasBody ? Buffer.concat(apiResponse.body) : null, { status, headers });
  };
}

const bytesOf = async (request: Request): Promise<Uint8Array> => new Uint8Array(await request.arrayBuffer());

/** Resolves `/v2/user` below the base URL, including the path of the base URL. */
const resolveUrl = (input: string | URL, base: URL): URL =>
  typeof input === 'string' && input.startsWith('/')
    ? new URL(input.replace(/^\/+/, './'), base)
    : new URL(input, base);
