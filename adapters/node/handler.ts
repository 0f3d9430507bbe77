import type { ServerResponse } from 'node:http';
import type { HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse, noRouteResponse } from '../http-shared/error-response.js';
import { handleSafely } from '../http-shared/handle-safely.js';
import { normalizePrefix } from '../http-shared/prefix.js';
import { toApiRequest } from './request.js';
import { writeResponse } from './respond.js';
import { type HostRequest, targetOf } from './target.js';

export interface NodeHandlerOptions {
  /** Path below which the API stands, such as `/ci`. It is taken off before the API sees the request. Default: none. */
  readonly prefix?: string | undefined;
}

export type NodeHandler = (request: HostRequest, response: ServerResponse, next?: () => void) => void;

/**
 * A request listener for `http.createServer`, and middleware for hosts in the style of Express. With a `next` it leaves
 * whatever is no path of the API to the host; without one the API answers its own 404. Works before and behind body parsers.
 *
 *     http.createServer(nodeHandler(api)).listen(4000);
 *     app.use(nodeHandler(api, { prefix: '/ci' }));
 */
export function nodeHandler(api: HttpApi, options: NodeHandlerOptions = {}): NodeHandler {
  const prefix = normalizePrefix(options.prefix);
  return (request, response, next) => {
    const target = targetOf(request, prefix);
    if (next && (target === undefined || !api.matches(request.method ?? 'GET', target))) return next();
    void handleRequest(api, target, request, response);
  };
}

/** Has the API answer one request. Never rejects. `target` is undefined for what is not below the prefix. */
async function handleRequest(
  api: HttpApi,
  target: string | undefined,
  request: HostRequest,
  response: ServerResponse,
): Promise<void> {
  // Somebody who hangs up while being written to is no error of this process, and without a listener it would end it.
  request.on('error', ignore);
  response.on('error', ignore);
  const { method = 'GET', url = '/' } = request;
  const apiResponse =
    target === undefined
      ? noRouteResponse(method, url)
      : await handleSafely(api, () => toApiRequest(request, response, target));
  try {
    writeResponse(request, response, apiResponse);
  } catch {
    // A status or a header that HTTP cannot carry, found before anything was written.
    if (response.headersSent) return void response.destroy();
    for (const name of Object.keys(apiResponse.headers)) if (isHeaderName(name)) response.removeHeader(name);
    writeResponse(request, response, internalErrorResponse());
  }
}

/** Others cannot have been set. */
const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

const ignore = (): void => {};
