import type { ParameterizedContext } from 'koa';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { internalErrorResponse, noRouteResponse } from '../http-shared/error-response.js';
import { hasBody } from '../http-shared/framing.js';
import { handleSafely } from '../http-shared/handle-safely.js';
import { requestBody } from '../node/body.js';
import { isBodyPending } from '../node/drain.js';
import { toApiRequest } from '../node/request.js';
import { writeResponse } from '../node/respond.js';

/** Lets the API handle one request. Never rejects. `target` is undefined for a request that is not below the prefix. */
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

/** Sets the response on the context. If Koa rejects its status or a header, which happens before anything is written, sets a 500. */
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
  // The response is complete: it must not contain defaults of the host, or headers that Koa derives from the body.
  res.removeHeader('Content-Type');
  res.removeHeader('Content-Length');
  for (const [name, value] of Object.entries(apiResponse.headers)) res.setHeader(name, value);
  if (!hasUnreadBody && hasBody(method, apiResponse.status)) setBody(ctx, apiResponse.body);
  if (!hasUnreadBody) return;
  // Koa would end the response at once, and the connection would be reset before the client has read it.
  ctx.respond = false;
  writeResponse(req, res, apiResponse);
}

/**
 * Chunks are concatenated: Koa writes a stream through `pipeline`, which costs more than copying a whole page (Node 20, 60 chunks
 * of together 420 KB: 190 µs of processor time against 60). Koa adds a content type and a length of its own, which are undone.
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

/** Koa reports a client that disconnects early as an error of the application; those reports are dropped. */
function ignoreClientAborts(ctx: ParameterizedContext): void {
  const { onerror, req } = ctx;
  ctx.onerror = (error) => {
    if (error === null || !req.socket.destroyed || !isClientAbort(error)) onerror.call(ctx, error);
  };
}
