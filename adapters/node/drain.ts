import type { IncomingMessage } from 'node:http';
import { isAwaitingContinue } from './expect-continue.js';

/** In bytes. An unread body of at most this size is read and discarded, so that the connection can be reused. */
const maxReusableBytes = 64 * 1024;

/** How much, and for how long, a client may still send before a closing connection is destroyed. */
const drainLimits = { bytes: 16 * 1024 * 1024, milliseconds: 1000 };

/** Whether so much of the body is unread that the connection must close after the response. */
export function isBodyPending(request: IncomingMessage): boolean {
  if (request.complete) return false;
  // The client may or may not send the body after this response, so the start of the next request would be unknown.
  if (isAwaitingContinue(request)) return true;
  return Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > maxReusableBytes;
}

/**
 * Discards incoming bytes until the client has read the response. Closing a socket with unread bytes resets the connection, and
 * the client may lose the response.
 */
export function drainBody(request: IncomingMessage, onDrained: () => void): void {
  let remainingBytes = drainLimits.bytes;
  const timer = setTimeout(stop, drainLimits.milliseconds);
  function count(chunk: Buffer) {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) stop();
  }
  function stop() {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('close', stop);
    onDrained();
  }
  request.on('data', count).on('end', stop).on('close', stop).resume();
}
