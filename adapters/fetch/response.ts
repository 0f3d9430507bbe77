import type { ApiResponse } from '../../core/ports/index.js';
import { hasBody, withContentLength } from '../http-shared/framing.js';

/** An answer as a `Response`. Throws if its status or a header is none that HTTP can carry. */
export function toFetchResponse(method: string, apiResponse: ApiResponse): Response {
  const { status } = apiResponse;
  const headers = withContentLength(method, apiResponse);
  // @hono/node-server puts a lighter `Response` in the place of the standard's, which looks at neither before it writes.
  if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is no status of a response`);
  new Headers(headers);
  return new Response(hasBody(method, status) ? toBodyInit(apiResponse.body) : null, { status, headers });
}

/**
 * A single chunk as it is, which hosts write in one go. Several as a stream of them: to glue 61 chunks of 7 KB together takes
 * twice as long (Node 20: 120 µs against 50 µs). A stream of bytes would take the chunks away from their owner.
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
