import type { ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';
import { type HostRequest, originForm, readPrefix, targetOf } from './mount.js';
import { refusal } from './refusal.js';
import { readRequest } from './request.js';
import { respond } from './respond.js';

export interface NodeHandlerOptions {
  /** Path below which the API stands, such as `/ci`. It is taken off before the API sees the request. Default: none. */
  readonly prefix?: string | undefined;
}

export type NodeHandler = (request: HostRequest, response: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * A request listener for `http.createServer`, and middleware for hosts in the style of Express. With a `next` it leaves
 * whatever is no path of the API to the host; without one the API answers its own 404. Works before and behind body parsers.
 *
 *     http.createServer(nodeHandler(api)).listen(4000);
 *     app.use(nodeHandler(api, { prefix: '/ci' }));
 */
export function nodeHandler(api: HttpApi, options: NodeHandlerOptions = {}): NodeHandler {
  const prefix = readPrefix(options.prefix);
  return (request, response, next) => {
    const target = targetOf(request, prefix);
    if (next && (target === undefined || !api.matches(request.method ?? 'GET', target))) return next();
    void answer(api, target, { request, response, awaitsContinue: false, isLast: () => false });
  };
}

export interface Incoming {
  readonly request: HostRequest;
  readonly response: ServerResponse;
  readonly awaitsContinue: boolean;
  /** Whether the connection has to close after this answer; asked when the answer is there. */
  readonly isLast: () => boolean;
}

/** Has the API answer one request. Never rejects. `target` is undefined for what is not below the prefix. */
export async function answer(api: HttpApi, target: string | undefined, incoming: Incoming): Promise<void> {
  const { request, response, awaitsContinue, isLast } = incoming;
  // Somebody who hangs up while being written to is no error of this process, and without a listener it would end it.
  request.on('error', ignore);
  response.on('error', ignore);
  const given =
    target === undefined
      ? noRoute(request)
      : await ask(api, () => readRequest(request, response, target, awaitsContinue));
  try {
    respond({ request, response, awaitsContinue, last: isLast() }, given);
  } catch {
    // A header that HTTP cannot carry, found before anything was written.
    if (response.headersSent) response.destroy();
    else respond({ request, response, awaitsContinue, last: true }, failed());
  }
}

const ignore = (): void => {};

/** The core answers whatever goes wrong itself; this is for when it breaks that promise. */
async function ask(api: HttpApi, request: () => ApiRequest): Promise<ApiResponse> {
  try {
    return await api.handle(request());
  } catch {
    return failed();
  }
}

const failed = (): ApiResponse => refusal(500, 'Something went wrong on our side');

const noRoute = ({ method, url = '/' }: HostRequest): ApiResponse =>
  refusal(404, `No route matches ${method} ${originForm(url).split('?', 1)[0]}`);
