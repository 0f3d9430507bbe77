import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiResponse } from '../../core/ports/index.js';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
  /** Whether the connection has to close after this answer. */
  readonly last: boolean;
}

/** The rest of a body up to this size is read and thrown away, so that the connection can be used again, in bytes. */
const cheap = 64 * 1024;

/** How much more, and how long, a client may send to a connection that closes before the connection is cut. */
const patience = { bytes: 16 * 1024 * 1024, milliseconds: 1000 };

/** Writes an answer: one write a chunk, all of them corked together. Does nothing if the client is gone. */
export function respond(exchange: Exchange, answer: ApiResponse): void {
  const { request, response, last } = exchange;
  if (response.destroyed || response.headersSent) return;
  const unread = hasUnreadBody(exchange);
  const headers = last || unread ? { ...answer.headers, Connection: 'close' } : answer.headers;
  const chunks = hasBody(request, answer.status) ? answer.body : [];
  response.writeHead(answer.status, withLength(headers, request, answer));
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.uncork();
  if (!unread) {
    response.end();
    return;
  }
  response.flushHeaders();
  readOn(request, () => response.end());
}

const hasBody = (request: IncomingMessage, status: number): boolean =>
  request.method !== 'HEAD' && status !== 204 && status !== 304;

/** The length, unless the core has given it, or there must be none: on HEAD only the core knows it. */
function withLength(
  headers: ApiResponse['headers'],
  request: IncomingMessage,
  { status, body }: ApiResponse,
): Record<string, string> {
  if (!hasBody(request, status) || Object.keys(headers).some((name) => /^content-length$/i.test(name))) return headers;
  return { ...headers, 'Content-Length': String(body.reduce((sum, chunk) => sum + chunk.length, 0)) };
}

/** Whether so much of the request may still come that the connection is better closed. */
function hasUnreadBody({ request, awaitsContinue }: Exchange): boolean {
  if (request.complete) return false;
  // Whether the client will send it after this answer is its choice, so nothing after it could be told apart from the body.
  if (awaitsContinue && !request.readableDidRead) return true;
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return length > cheap;
}

/**
 * Throws away what the client sends until it has understood the answer. To close a connection with bytes unread resets it, and
 * the client may lose the answer that tells it to stop.
 */
function readOn(request: IncomingMessage, done: () => void): void {
  let left = patience.bytes;
  const timer = setTimeout(stop, patience.milliseconds);
  function count(chunk: Buffer) {
    left -= chunk.length;
    if (left < 0) stop();
  }
  function stop() {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('close', stop);
    done();
  }
  request.on('data', count).on('end', stop).on('close', stop).resume();
}
