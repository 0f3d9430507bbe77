import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiResponse } from '../../core/ports/index.js';
import { hasBody, withContentLength } from '../http-shared/framing.js';
import { drainBody, isBodyPending } from './drain.js';

/** Writes a response: one write per chunk, corked together. Does nothing if the client has disconnected. */
export function writeResponse(request: IncomingMessage, response: ServerResponse, apiResponse: ApiResponse): void {
  if (response.destroyed || response.headersSent) return;
  const { method } = request;
  const hasUnreadBody = isBodyPending(request);
  if (hasUnreadBody) response.shouldKeepAlive = false;
  response.writeHead(apiResponse.status, withContentLength(method, apiResponse));
  response.cork();
  if (hasBody(method, apiResponse.status)) for (const chunk of apiResponse.body) response.write(chunk);
  response.uncork();
  if (!hasUnreadBody) {
    response.end();
    return;
  }
  response.flushHeaders();
  drainBody(request, () => response.end());
}
