import type { ApiResponse } from '../../core/ports/index.js';
import { originForm } from './prefix.js';

/** An answer that the transport has to give by itself, in the form of the API's own: JSON with the CORS headers of spec 1.7. */
export function refusal(status: number, message: string): ApiResponse {
  const body = new TextEncoder().encode(JSON.stringify({ message }));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link',
  };
  return { status, headers, body: [body] };
}

/** For an API that breaks its promise never to reject, or answers what HTTP cannot carry. */
export const failed = (): ApiResponse => refusal(500, 'Something went wrong on our side');

/** For what is not below the prefix, where no host stands behind the API. */
export const noRoute = (method: string, target: string): ApiResponse =>
  refusal(404, `No route matches ${method} ${originForm(target).split(/[?#]/, 1)[0]}`);
