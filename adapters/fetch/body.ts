import type { RequestBody } from '../../core/ports/index.js';

/** The body of a request, read on demand and only once. */
export function requestBody(request: Request): RequestBody {
  let reading: Promise<Uint8Array | 'too_large'> | undefined;
  return {
    read(limit) {
      if (reading) return reading;
      reading = readAll(request, limit);
      // Nothing may await the promise any more when the client disconnects; this avoids an unhandled rejection.
      reading.catch(() => {});
      return reading;
    },
  };
}

/** Buffers at most `limit` bytes and stops reading beyond that. Rejects when the client disconnects before the end of the body. */
async function readAll(request: Request, limit: number): Promise<Uint8Array | 'too_large'> {
  const { body, signal } = request;
  if (body === null) return new Uint8Array();
  if (request.bodyUsed)
    throw new TypeError('The body was already read before the handler was called: pass request.clone() to it');
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
    // Canceling a stream also ends it; without this check a partial body would pass for a complete one.
    if (signal.aborted) throw clientAbortedError();
    return chunks.length === 1 && chunks[0] ? chunks[0] : concatenate(chunks, size);
  } catch (error) {
    throw signal.aborted ? clientAbortedError() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

const clientAbortedError = (): Error =>
  new DOMException('The client disconnected before its request was complete', 'AbortError');
