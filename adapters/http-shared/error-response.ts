import type { ApiResponse } from '../../core/ports/index.js';
import { toOriginForm } from './prefix.js';

/** An error response that the transport sends itself, in the same form as the API's: JSON with the CORS headers of spec 1.7. */
export function errorResponse(status: number, message: string): ApiResponse {
  const body = new TextEncoder().encode(JSON.stringify({ message }));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link',
  };
  return { status, headers, body: [body] };
}

/** For an API that rejects against its contract, or returns a response that HTTP cannot carry. */
export const internalErrorResponse = (): ApiResponse => errorResponse(500, 'Something went wrong on our side');

/** For a request that is not below the prefix, when there is no host to pass it to. */
export const noRouteResponse = (method: string, target: string): ApiResponse =>
  errorResponse(404, `No route matches ${method} ${toOriginForm(target).split(/[?#]/, 1)[0]}`);
