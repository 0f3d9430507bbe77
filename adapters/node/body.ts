import type { IncomingMessage } from 'node:http';
import type { RequestBody } from '../../core/ports/index.js';
import type { HostRequest } from './target.js';

/** The body of a request: the value that the host's body parser left in `parsed`, or a reader of the stream. */
export function requestBody(request: HostRequest, parsed: unknown = request.body): RequestBody {
  if (isParsed(request, parsed)) return { parsed };
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

/** Some parsers set an empty object for content types that they do not handle, and leave the stream unread. */
function isParsed({ readableDidRead }: IncomingMessage, body: unknown): boolean {
  if (body === undefined || readableDidRead) return body !== undefined;
  return !(typeof body === 'object' && body !== null && Object.keys(body).length === 0);
}

/** Buffers at most `limit` bytes and stops reading beyond that. Rejects when the client disconnects before the end of the body. */
async function readAll(request: IncomingMessage, limit: number): Promise<Uint8Array | 'too_large'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too_large';
  if (request.readableEnded) return new Uint8Array();
  if (request.destroyed) throw clientAbortedError();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (complete: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      complete();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      request.pause();
      settle(() => resolve('too_large'));
    };
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    const onClose = () => settle(() => reject(clientAbortedError()));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** The error for a body whose client disconnected before its end. */
export const clientAbortedError = (): Error =>
  new DOMException('The client disconnected before its request was complete', 'AbortError');
