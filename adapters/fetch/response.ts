import type { ApiResponse } from '../../core/ports/index.js';
import { hasBody, withLength } from '../mount/framing.js';

/** An answer as a `Response`. Throws if its status or a header is none that HTTP can carry. */
export const responseOf = (method: string, answer: ApiResponse): Response =>
  new Response(hasBody(method, answer.status) ? bodyFor(answer.body) : null, {
    status: answer.status,
    headers: withLength(method, answer),
  });

/**
 * A single chunk as it is, which hosts write in one go. Several as a stream of them: to glue 61 chunks of 7 KB together takes
 * twice as long (Node 20: 120 µs against 50 µs). A stream of bytes would take the chunks away from their owner.
 */
function bodyFor(chunks: ApiResponse['body']): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (chunks.length < 2) return (chunks[0] as Uint8Array<ArrayBuffer> | undefined) ?? null;
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
