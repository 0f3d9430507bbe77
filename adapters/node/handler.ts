import type { ServerResponse } from 'node:http';
import type { HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse, noRouteResponse } from '../http-shared/error-response.js';
import { handleSafely } from '../http-shared/handle-safely.js';
import { readPrefix } from '../http-shared/prefix-option.js';
import { toApiRequest } from './request.js';
import { writeResponse } from './respond.js';
import { type HostRequest, targetOf } from './target.js';

export interface NodeHandlerOptions {
  /** Path that the API is mounted at, such as `/ci`. It is stripped before the API sees the request. Default: none. */
  readonly prefix?: string | undefined;
}

export type NodeHandler = (request: HostRequest, response: ServerResponse, next?: () => void) => void;

/**
 * A request listener for `http.createServer`, and middleware for hosts in the style of Express. With `next`, requests that match
 * no path of the API go to the host; without it, the API responds with its own 404. Works before and after body parsers.
 *
 *     http.createServer(nodeHandler(api)).listen(4000);
 *     app.use(nodeHandler(api, { prefix: '/ci' }));
 */
export function nodeHandler(api: HttpApi, options: NodeHandlerOptions = {}): NodeHandler {
  const prefix = readPrefix('nodeHandler', options);
  return (request, response, next) => {
    const target = targetOf(request, prefix);
    if (next && (target === undefined || !api.matches(request.method ?? 'GET', target))) return next();
    void handleRequest(api, target, request, response);
  };
}

/** Lets the API handle one request. Never rejects. `target` is undefined for a request that is not below the prefix. */
async function handleRequest(
  api: HttpApi,
  target: string | undefined,
  request: HostRequest,
  response: ServerResponse,
): Promise<void> {
  // A client that disconnects during a write emits `error`; without a listener that would end the process.
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
    // An invalid status or header: Node throws before it writes anything.
    if (response.headersSent) return void response.destroy();
    for (const name of Object.keys(apiResponse.headers)) if (isHeaderName(name)) response.removeHeader(name);
    writeResponse(request, response, internalErrorResponse());
  }
}

/** An invalid name cannot have been set, and removing it would throw. */
const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

const ignore = (): void => {};
