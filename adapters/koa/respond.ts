import type { ParameterizedContext } from 'koa';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse, noRouteResponse } from '../http-shared/error-response.js';
import { hasBody } from '../http-shared/framing.js';
import { handleSafely } from '../http-shared/handle-safely.js';
import { requestBody } from '../node/body.js';
import { isBodyPending } from '../node/drain.js';
import { toApiRequest } from '../node/request.js';
import { writeResponse } from '../node/respond.js';

/** Has the API answer one request. Never rejects. `target` is undefined for what is not below the prefix. */
export async function handleRequest(
  api: HttpApi,
  target: string | undefined,
  ctx: ParameterizedContext,
): Promise<void> {
  ignoreClientAborts(ctx);
  const { req, res, ip, method, url } = ctx;
  const parsed = 'body' in ctx.request ? ctx.request.body : undefined;
  const request = (apiTarget: string) => toApiRequest(req, res, apiTarget, ip || undefined, requestBody(req, parsed));
  setResponseOrError(
    ctx,
    target === undefined ? noRouteResponse(method, url) : await handleSafely(api, () => request(target)),
  );
}

/** Sets the answer on the context, as it is or else as a failure: what Koa cannot carry, it refuses before anything is written. */
function setResponseOrError(ctx: ParameterizedContext, apiResponse: ApiResponse): void {
  if (ctx.headerSent) return;
  try {
    setResponse(ctx, apiResponse);
  } catch {
    for (const name of Object.keys(apiResponse.headers)) ctx.remove(name);
    setResponse(ctx, internalErrorResponse());
  }
}

function setResponse(ctx: ParameterizedContext, apiResponse: ApiResponse): void {
  const { req, res, method } = ctx;
  const hasUnreadBody = isBodyPending(req);
  ctx.status = apiResponse.status;
  // The answer is complete: what the host has thought of before, or Koa makes of the body, is no part of it.
  res.removeHeader('Content-Type');
  res.removeHeader('Content-Length');
  for (const [name, value] of Object.entries(apiResponse.headers)) res.setHeader(name, value);
  if (!hasUnreadBody && hasBody(method, apiResponse.status)) setBody(ctx, apiResponse.body);
  if (!hasUnreadBody) return;
  // Koa would end such an answer at once, and the connection would be reset before the client has read it.
  ctx.respond = false;
  writeResponse(req, res, apiResponse);
}

/**
 * Ready chunks are glued together: Koa hands a stream over by `pipeline`, which costs more than to copy all of a page (Node 20,
 * 60 chunks of 420 KB: 190 µs of processor time against 60). Koa puts in a type that is not wanted, and a length of its own.
 */
function setBody(ctx: ParameterizedContext, chunks: ApiResponse['body']): void {
  const { res } = ctx;
  const hasContentType = res.hasHeader('Content-Type');
  const contentLength = res.getHeader('Content-Length');
  ctx.body = Buffer.concat(chunks);
  if (!hasContentType) res.removeHeader('Content-Type');
  if (contentLength !== undefined) res.setHeader('Content-Length', contentLength);
}

const isClientAbort = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined && /^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|ECONNABORTED|EPIPE|HPE_\w+)$/.test(code);

/** Somebody who hangs up before all is said is no error of the application, though Koa reports it as one. */
function ignoreClientAborts(ctx: ParameterizedContext): void {
  const { onerror, req } = ctx;
  ctx.onerror = (error) => {
    if (error === null || !req.socket.destroyed || !isClientAbort(error)) onerror.call(ctx, error);
  };
}
