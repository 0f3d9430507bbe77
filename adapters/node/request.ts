import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, RequestBody } from '../../core/ports/index.js';
import { requestBody } from './body.js';
import type { HostRequest } from './target.js';

/** A Node request as an `ApiRequest`. Headers and signal are created on first access: most requests need one or neither. */
export function toApiRequest(
  request: HostRequest,
  response: ServerResponse,
  target: string,
  remoteAddress = request.ip ?? request.socket.remoteAddress,
  body: RequestBody = requestBody(request),
): ApiRequest {
  let headers: ApiRequest['headers'] | undefined;
  let signal: AbortSignal | undefined;
  return {
    method: request.method ?? 'GET',
    target,
    get headers() {
      headers ??= joinHeaders(request);
      return headers;
    },
    remoteAddress,
    get signal() {
      signal ??= clientAbortSignal(request, response);
      return signal;
    },
    body,
  };
}

/**
 * Node keeps only the first of some repeated headers, such as `Authorization`. A repeated header must not pass for a single one,
 * so all values are joined. The object has no prototype, so that a header name finds only headers.
 */
function joinHeaders(request: IncomingMessage): ApiRequest['headers'] {
  const joined: Record<string, string | undefined> = Object.create(null);
  const distinct = request.headersDistinct ?? request.headers;
  for (const [name, values] of Object.entries(distinct))
    joined[name] = Array.isArray(values) ? values.join(', ') : values;
  return joined;
}

/** Aborts when the connection closes before the response is complete. */
export function clientAbortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const check = () => {
    if (!response.writableEnded && (response.destroyed || request.socket.destroyed)) controller.abort();
  };
  check();
  // A response that waits for an earlier one on the same connection has no socket yet; only its request emits `close`.
  response.once('close', check);
  request.once('close', check);
  return controller.signal;
}
