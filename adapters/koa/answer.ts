import { Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { ask } from '../mount/ask.js';
import { hasBody, withLength } from '../mount/framing.js';
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
  if (!unread && hasBody(method, answer.status)) ctx.body = bodyFor(answer.body);
  // Koa has put in what it makes of the body, but the answer is complete.
  ctx.remove('Content-Type');
  ctx.remove('Content-Length');
  ctx.set(withLength(method, answer));
  if (!unread) return;
  // Koa would end such an answer at once, and the connection would be reset before the client has read it.
  ctx.respond = false;
  respond(req, res, answer);
}

/** Ready chunks are handed on one by one, and never glued together. */
function bodyFor(chunks: ApiResponse['body']): Buffer | Readable {
  const [first = new Uint8Array(), second] = chunks;
  if (second === undefined) return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  return new Readable({
    read() {
      for (const chunk of chunks) this.push(chunk);
      this.push(null);
    },
  });
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
