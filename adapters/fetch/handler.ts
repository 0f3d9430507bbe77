import { anyFunction, type ChecksOf } from '../../core/options-check.js';
import type { ApiRequest, HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse, noRouteResponse } from '../http-shared/error-response.js';
import { handleSafely } from '../http-shared/handle-safely.js';
import { stripPrefix, toOriginForm } from '../http-shared/prefix.js';
import { prefixCheck, readPrefix } from '../http-shared/prefix-option.js';
import { requestBody } from './body.js';
import { toFetchResponse } from './response.js';

export interface FetchHandlerOptions<Rest extends unknown[] = unknown[]> {
  /**
   * Path that the API is mounted at, such as `/ci`. It is stripped before the API sees the request. Leave it out when the host
   * has stripped it already: the URL of a request does not show that. Default: none.
   */
  readonly prefix?: string | undefined;
  /** Returns the client's address from the request and the host's further arguments. Default: unknown to the API. */
  readonly remoteAddress?: ((request: Request, ...rest: Rest) => string | undefined) | undefined;
}

const optionChecks: ChecksOf<FetchHandlerOptions> = { ...prefixCheck, remoteAddress: anyFunction };

export type FetchHandler<Rest extends unknown[] = unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>;

/**
 * A function from a `Request` to a `Response`, for hosts in the style of the Fetch standard: Hono, Deno, Bun, Next, workers,
 * Mock Service Worker. Uses only web standards, and never rejects.
 *
 *     Deno.serve(fetchHandler(api));
 *     app.all('/ci/*', (c) => handler(c.req.raw)); // const handler = fetchHandler(api, { prefix: '/ci' })
 */
export function fetchHandler<Rest extends unknown[] = unknown[]>(
  api: HttpApi,
  options: FetchHandlerOptions<Rest> = {},
): FetchHandler<Rest> {
  const prefix = readPrefix('fetchHandler', options, optionChecks);
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
      // An invalid status or header.
      return toFetchResponse(method, internalErrorResponse());
    }
  };
}

/** Cut from the text: parsing the URL again would cost more than the rest of the handler. */
const targetOf = (url: string): string => toOriginForm(url).split('#', 1)[0] ?? '/';

/** A fetch request as an `ApiRequest`. Headers and signal are read on first access: some hosts create them only then. */
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
