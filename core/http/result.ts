import { type ApiError, isApiError } from '../errors/index.js';
import type { ApiRequest, ApiResponse, Ids } from '../ports/index.js';

/** The result of a handler: a response without the headers that every response has. */
export interface Result {
  readonly status: number;
  /** A value to be serialized as JSON. */
  readonly payload?: unknown;
  /** A body to be sent as it is, in place of a payload. Its `Content-Type` is among the headers. */
  readonly body?: Uint8Array;
  /** JSON that is serialized already, in chunks. */
  readonly chunks?: readonly Uint8Array[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result with this status and payload. An error is returned unchanged. */
export const resultOf = (status: number, payload: unknown): Result | ApiError =>
  isApiError(payload) ? payload : { status, payload };

/** Converts a result to a response: adds the headers of every response. HEAD and 204 have no body (decisions 1). */
export function toResponse(result: Result, request: ApiRequest, ids: Ids): ApiResponse {
  const headers: Record<string, string> = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link',
    'X-Request-Id': requestIdOf(request, ids),
    ...result.headers,
  };
  if (result.status === 204) return { status: 204, headers, body: [] };
  if (!result.body) headers['Content-Type'] = 'application/json; charset=utf-8';
  const body = result.chunks ?? [result.body ?? Buffer.from(JSON.stringify(result.payload))];
  let length = 0;
  for (const chunk of body) length += chunk.byteLength;
  headers['Content-Length'] = String(length);
  return { status: result.status, headers, body: request.method === 'HEAD' ? [] : body };
}

/** The client's request id if it is short and has only safe characters, otherwise a new one (decisions 12). */
function requestIdOf(request: ApiRequest, ids: Ids): string {
  const sent = request.headers['x-request-id'];
  return sent !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : ids.secret(22);
}
