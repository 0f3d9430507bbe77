import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiResponse } from '../../core/ports/index.js';
import { hasBody, withLength } from '../mount/framing.js';
import { isStillComing, readOn } from './unread.js';

/** Writes an answer: one write a chunk, all of them corked together. Does nothing if the client is gone. */
export function respond(request: IncomingMessage, response: ServerResponse, answer: ApiResponse): void {
  if (response.destroyed || response.headersSent) return;
  const { method } = request;
  const unread = isStillComing(request);
  if (unread) response.shouldKeepAlive = false;
  response.writeHead(answer.status, withLength(method, answer));
  response.cork();
  if (hasBody(method, answer.status)) for (const chunk of answer.body) response.write(chunk);
  response.uncork();
  if (!unread) {
    response.end();
    return;
  }
  response.flushHeaders();
  readOn(request, () => response.end());
}
