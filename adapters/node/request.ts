import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, RequestBody } from '../../core/ports/index.js';
import { requestBody } from './body.js';
import type { HostRequest } from './target.js';

/** A request in the words of the port. Headers and signal are made when asked for: most requests need one or neither. */
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
 * Node drops the second of some headers, `Authorization` among them. Two of these are not the same as one, so all are joined;
 * without a prototype, so that no header name finds anything but headers.
 */
function joinHeaders(request: IncomingMessage): ApiRequest['headers'] {
  const joined: Record<string, string | undefined> = Object.create(null);
  const distinct = request.headersDistinct ?? request.headers;
  for (const [name, values] of Object.entries(distinct))
    joined[name] = Array.isArray(values) ? values.join(', ') : values;
  return joined;
}

/** Aborts when the connection closes before the answer is there: later nobody works for it any more. */
export function clientAbortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const check = () => {
    if (!response.writableEnded && (response.destroyed || request.socket.destroyed)) controller.abort();
  };
  check();
  // Responses behind another one on the same connection have no socket yet, and only their requests hear of its end.
  response.once('close', check);
  request.once('close', check);
  return controller.signal;
}
