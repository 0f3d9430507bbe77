import type { ApiResponse } from '../../core/ports/index.js';

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Whether an answer to that method, with that status, may have a body. */
export const hasBody = (method: string | undefined, status: number): boolean =>
  method !== 'HEAD' && !statusesWithoutBody.has(status);

/** The headers with the length, unless the core has given it, or there must be none: on HEAD only the core knows it. */
export function withContentLength(
  method: string | undefined,
  { status, headers, body }: ApiResponse,
): ApiResponse['headers'] {
  if (!hasBody(method, status) || Object.keys(headers).some(isContentLength)) return headers;
  return { ...headers, 'Content-Length': String(bodyLength(body)) };
}

const isContentLength = (name: string): boolean => name.length === 14 && name.toLowerCase() === 'content-length';

/** All of a body, in bytes. */
export const bodyLength = (body: ApiResponse['body']): number => body.reduce((sum, chunk) => sum + chunk.length, 0);
