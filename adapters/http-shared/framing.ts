import type { ApiResponse } from '../../core/ports/index.js';

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Whether a response to this method with this status may have a body. */
export const hasBody = (method: string | undefined, status: number): boolean =>
  method !== 'HEAD' && !statusesWithoutBody.has(status);

/** The headers with `Content-Length` added, unless the core has set it or the response has no body: for HEAD only the core knows the length. */
export function withContentLength(
  method: string | undefined,
  { status, headers, body }: ApiResponse,
): ApiResponse['headers'] {
  if (!hasBody(method, status) || Object.keys(headers).some(isContentLength)) return headers;
  return { ...headers, 'Content-Length': String(bodyLength(body)) };
}

const isContentLength = (name: string): boolean => name.length === 14 && name.toLowerCase() === 'content-length';

/** The length of a whole body, in bytes. */
export const bodyLength = (body: ApiResponse['body']): number => body.reduce((sum, chunk) => sum + chunk.length, 0);
