import type { ParameterizedContext } from 'koa';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { ask } from '../mount/ask.js';
import { hasBody } from '../mount/framing.js';
import { failed, noRoute } from '../mount/refusal.js';
import { bodyOf } from '../node/body.js';
import { readRequest } from '../node/request.js';
import { respond } from '../node/respond.js';
import { isStillComing } from '../node/unread.js';

/** Has the API answer one request. Never rejects. `target` is undefined for what is not below the prefix. */
export async function answer(api: HttpApi, target: string | undefined, ctx: ParameterizedContext): Promise<void> {
  silenceGone(ctx);
  const { req, res, ip, method, url } = ctx;
  const parsed = 'body' in ctx.request ? ctx.request.body : undefined;
  const request = (given: string) => readRequest(req, res, given, ip || undefined, bodyOf(req, parsed));
  give(ctx, target === undefined ? noRoute(method, url) : await ask(api, () => request(target)));
}

/** Sets the answer on the context, as it is or else as a failure: what Koa cannot carry, it refuses before anything is written. */
function give(ctx: ParameterizedContext, answer: ApiResponse): void {
  if (ctx.headerSent) return;
  try {
    set(ctx, answer);
  } catch {
    for (const name of Object.keys(answer.headers)) ctx.remove(name);
    set(ctx, failed());
  }
}

function set(ctx: ParameterizedContext, answer: ApiResponse): void {
  const { req, res, method } = ctx;
  const unread = isStillComing(req);
  ctx.status = answer.status;
  // The answer is complete: what the host has thought of before, or Koa makes of the body, is no part of it.
  res.removeHeader('Content-Type');
  res.removeHeader('Content-Length');
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
  if (!unread && hasBody(method, answer.status)) giveBody(ctx, answer.body);
  if (!unread) return;
  // Koa would end such an answer at once, and the connection would be reset before the client has read it.
  ctx.respond = false;
  respond(req, res, answer);
}

/**
 * Ready chunks are glued together: Koa hands a stream over by `pipeline`, which costs more than to copy all of a page (Node 20,
 * 60 chunks of 420 KB: 190 µs of processor time against 60). Koa puts in a type that is not wanted, and a length of its own.
 */
function giveBody(ctx: ParameterizedContext, chunks: ApiResponse['body']): void {
  const { res } = ctx;
  const typed = res.hasHeader('Content-Type');
  const length = res.getHeader('Content-Length');
  ctx.body = Buffer.concat(chunks);
  if (!typed) res.removeHeader('Content-Type');
  if (length !== undefined) res.setHeader('Content-Length', length);
}

const isGone = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined && /^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|ECONNABORTED|EPIPE|HPE_\w+)$/.test(code);

/** Somebody who hangs up before all is said is no error of the application, though Koa reports it as one. */
function silenceGone(ctx: ParameterizedContext): void {
  const { onerror, req } = ctx;
  ctx.onerror = (error) => {
    if (error === null || !req.socket.destroyed || !isGone(error)) onerror.call(ctx, error);
  };
}
