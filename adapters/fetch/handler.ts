import type { ApiRequest, HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse, noRouteResponse } from '../http-shared/error-response.js';
import { handleSafely } from '../http-shared/handle-safely.js';
import { normalizePrefix, stripPrefix, toOriginForm } from '../http-shared/prefix.js';
import { requestBody } from './body.js';
import { toFetchResponse } from './response.js';

export interface FetchHandlerOptions<Rest extends unknown[] = unknown[]> {
  /**
   * Path below which the API stands, such as `/ci`. It is taken off before the API sees the request. Default: none, also
   * where the host has taken it off already: the address of a request does not tell.
   */
  readonly prefix?: string | undefined;
  /** Finds the client's address in what the host passes beside the request. Default: the API does not learn it. */
  readonly remoteAddress?: ((request: Request, ...rest: Rest) => string | undefined) | undefined;
}

export type FetchHandler<Rest extends unknown[] = unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>;

/**
 * A function from a `Request` to a `Response`, for hosts in the style of the Fetch standard: Hono, Deno, Bun, Next, workers,
 * Mock Service Worker. Uses nothing but web standards, and never rejects.
 *
 *     Deno.serve(fetchHandler(api));
 *     app.all('/ci/*', (c) => handler(c.req.raw)); // const handler = fetchHandler(api, { prefix: '/ci' })
 */
export function fetchHandler<Rest extends unknown[] = unknown[]>(
  api: HttpApi,
  options: FetchHandlerOptions<Rest> = {},
): FetchHandler<Rest> {
  const prefix = normalizePrefix(options.prefix);
  return async (request, ...rest) => {
    const { method, url } = request;
    const target = stripPrefix(targetOf(url), prefix);
    const apiResponse =
      target === undefined
        ? noRouteResponse(method, url)
        : await handleSafely(api, () => toApiRequest(request, target, options.remoteAddress?.(request, ...rest)));
    try {
      return toFetchResponse(method, apiResponse);
    } catch {
      // A status or a header that HTTP cannot carry.
      return toFetchResponse(method, internalErrorResponse());
    }
  };
}

/** Read from the text, since to parse an address again costs more than the rest. */
const targetOf = (url: string): string => toOriginForm(url).split('#', 1)[0] ?? '/';

/** A request in the words of the port. Headers and signal are looked at when asked for: some hosts make them only then. */
function toApiRequest(request: Request, target: string, remoteAddress: string | undefined): ApiRequest {
  let headers: Record<string, string | undefined> | undefined;
  return {
    method: request.method,
    target,
    get headers() {
      headers ??= Object.assign(Object.create(null), Object.fromEntries(request.headers));
      return headers as ApiRequest['headers'];
    },
    remoteAddress,
    get signal() {
      return request.signal;
    },
    body: requestBody(request),
  };
}
