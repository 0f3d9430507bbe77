import type { ApiResponse } from '../../core/ports/index.js';
import { toOriginForm } from './prefix.js';

/** An answer that the transport has to give by itself, in the form of the API's own: JSON with the CORS headers of spec 1.7. */
export function errorResponse(status: number, message: string): ApiResponse {
  const body = new TextEncoder().encode(JSON.stringify({ message }));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link',
  };
  return { status, headers, body: [body] };
}

/** For an API that breaks its promise never to reject, or answers what HTTP cannot carry. */
export const internalErrorResponse = (): ApiResponse => errorResponse(500, 'Something went wrong on our side');

/** For what is not below the prefix, where no host stands behind the API. */
export const noRouteResponse = (method: string, target: string): ApiResponse =>
  errorResponse(404, `No route matches ${method} ${toOriginForm(target).split(/[?#]/, 1)[0]}`);
