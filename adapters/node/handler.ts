import type { ServerResponse } from 'node:http';
import type { HttpApi } from '../../core/ports/index.js';
import { ask } from '../mount/ask.js';
import { readPrefix } from '../mount/prefix.js';
import { failed, noRoute } from '../mount/refusal.js';
import { type HostRequest, targetOf } from './mount.js';
import { readRequest } from './request.js';
import { respond } from './respond.js';

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
  const prefix = readPrefix(options.prefix);
  return (request, response, next) => {
    const target = targetOf(request, prefix);
    if (next && (target === undefined || !api.matches(request.method ?? 'GET', target))) return next();
    void answer(api, target, request, response);
  };
}

/** Has the API answer one request. Never rejects. `target` is undefined for what is not below the prefix. */
async function answer(
  api: HttpApi,
  target: string | undefined,
  request: HostRequest,
  response: ServerResponse,
): Promise<void> {
  // Somebody who hangs up while being written to is no error of this process, and without a listener it would end it.
  request.on('error', ignore);
  response.on('error', ignore);
  const { method = 'GET', url = '/' } = request;
  const given =
    target === undefined ? noRoute(method, url) : await ask(api, () => readRequest(request, response, target));
  try {
    respond(request, response, given);
  } catch {
    // A status or a header that HTTP cannot carry, found before anything was written.
    if (response.headersSent) return void response.destroy();
    for (const name of Object.keys(given.headers)) if (isToken(name)) response.removeHeader(name);
    respond(request, response, failed());
  }
}

/** Others cannot have been set. */
const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

const ignore = (): void => {};
