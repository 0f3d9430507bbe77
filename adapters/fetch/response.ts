import type { ApiResponse } from '../../core/ports/index.js';
import { hasBody, withContentLength } from '../http-shared/framing.js';

/** An `ApiResponse` as a `Response`. Throws if its status or a header is invalid. */
export function toFetchResponse(method: string, apiResponse: ApiResponse): Response {
  const { status } = apiResponse;
  const headers = withContentLength(method, apiResponse);
  // @hono/node-server replaces `Response` by a lighter class that does not validate status and headers, so this does.
  if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is not the status of a response`);
  new Headers(headers);
  return new Response(hasBody(method, status) ? toBodyInit(apiResponse.body) : null, { status, headers });
}

/**
 * A single chunk is passed as it is, and hosts write it at once. Several chunks become a stream: concatenating 61 chunks of 7 KB
 * takes twice as long (Node 20: 120 µs against 50 µs). Not a byte stream, which would detach the chunks' buffers.
 */
function toBodyInit(chunks: ApiResponse['body']): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (chunks.length < 2) return (chunks[0] as Uint8Array<ArrayBuffer> | undefined) ?? null;
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
