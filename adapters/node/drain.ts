import type { IncomingMessage } from 'node:http';
import { isAwaitingContinue } from './expect-continue.js';

/** The rest of a body up to this size is read and thrown away, so that the connection can be used again, in bytes. */
const maxReusableBytes = 64 * 1024;

/** How much more, and how long, a client may send to a connection that closes before the connection is cut. */
const drainLimits = { bytes: 16 * 1024 * 1024, milliseconds: 1000 };

/** Whether so much of a request may still come that its connection is better closed after the answer. */
export function isBodyPending(request: IncomingMessage): boolean {
  if (request.complete) return false;
  // Whether the client will send it after this answer is its choice, so nothing after it could be told apart from the body.
  if (isAwaitingContinue(request)) return true;
  return Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > maxReusableBytes;
}

/**
 * Throws away what the client sends until it has understood the answer. To close a connection with bytes unread resets it, and
 * the client may lose the answer that tells it to stop.
 */
export function drainBody(request: IncomingMessage, done: () => void): void {
  let remainingBytes = drainLimits.bytes;
  const timer = setTimeout(stop, drainLimits.milliseconds);
  function count(chunk: Buffer) {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) stop();
  }
  function stop() {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('close', stop);
    done();
  }
  request.on('data', count).on('end', stop).on('close', stop).resume();
}
