import type { RequestBody } from '../../core/ports/index.js';

/** The body of a request, read when it is asked for and once only. */
export function requestBody(request: Request): RequestBody {
  let reading: Promise<Uint8Array | 'too_large'> | undefined;
  return {
    read(limit) {
      if (reading) return reading;
      reading = readAll(request, limit);
      // It may be that nobody waits for it any more when the client goes away.
      reading.catch(() => {});
      return reading;
    },
  };
}

/** Never keeps more than `limit` bytes, and stops reading once there are more. Rejects when the client goes away before the end. */
async function readAll(request: Request, limit: number): Promise<Uint8Array | 'too_large'> {
  const { body, signal } = request;
  if (body === null) return new Uint8Array();
  if (request.bodyUsed) throw new TypeError('The body was read before the request came here: pass on request.clone()');
  if (Number(request.headers.get('content-length') ?? 0) > limit) {
    body.cancel().catch(() => {});
    return 'too_large';
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > limit) {
        cancel();
        return 'too_large';
      }
      chunks.push(next.value);
    }
    // To cancel a stream ends it, and half a body would pass for a whole one.
    if (signal.aborted) throw clientAbortedError();
    return chunks.length === 1 && chunks[0] ? chunks[0] : concatenated(chunks, size);
  } catch (error) {
    throw signal.aborted ? clientAbortedError() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

const clientAbortedError = (): Error =>
  new DOMException('The client went away before its request was complete', 'AbortError');
