import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { originForm } from '../mount/prefix.js';
import { failed, refusal } from '../mount/refusal.js';
import { gone } from './body.js';
import { goneSignal } from './request.js';
import { respond } from './respond.js';
import { isStillComing, readOn } from './unread.js';

/** A handler in the style of the Fetch standard, told the client's address beside the request. */
export type WebHandler = (request: Request, remoteAddress: string | undefined) => Response | Promise<Response>;

/**
 * A request listener that has a fetch handler answer. What the Fetch standard cannot express is lost: dot segments in the path
 * are resolved, header names become lower case, and a GET has no body.
 */
export const webListener =
  (handler: WebHandler): RequestListener =>
  (request, response) => {
    request.on('error', ignore);
    response.on('error', ignore);
    void answer(handler, request, response);
  };

const ignore = (): void => {};

async function answer(handler: WebHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const given = webRequest(request, response);
  if (given === undefined) return respond(request, response, refusal(400, 'Malformed HTTP request'));
  try {
    await write(request, response, await handler(given, request.socket.remoteAddress));
  } catch {
    if (response.headersSent) response.destroy();
    else respond(request, response, failed());
  }
}

/** Undefined for a Host header, a method or a target of which there can be no `Request`. */
function webRequest(request: IncomingMessage, response: ServerResponse): Request | undefined {
  const { method = 'GET', url = '/', headers, headersDistinct } = request;
  const target = originForm(url);
  const sent = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  const mayHaveBody = method !== 'GET' && method !== 'HEAD';
  const init = {
    method,
    headers: Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    ...(sent && mayHaveBody ? { body: streamOf(request), duplex: 'half' as const } : {}),
  };
  try {
    const url = `http://${headers.host ?? 'localhost'}${target.startsWith('/') ? '' : '/'}${target}`;
    return withSignal(new Request(url, init), () => goneSignal(request, response));
  } catch {
    return undefined;
  }
}

/**
 * Has a request make its signal when somebody asks for it: few handlers do, and it costs as much as all else of a `Request`. Of
 * the ways to copy a request, `clone()` and `new Request(request)` do not ask, and leave it behind.
 */
function withSignal(request: Request, make: () => AbortSignal): Request {
  let signal: AbortSignal | undefined;
  const get = (): AbortSignal => {
    signal ??= make();
    return signal;
  };
  return Object.defineProperty(request, 'signal', { configurable: true, enumerable: true, get });
}

/** The body as a stream that takes nothing from the connection before somebody reads it. */
function streamOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  let stop: (() => void) | undefined;
  const listen = (controller: ReadableStreamDefaultController<Uint8Array>): (() => void) => {
    const onData = (chunk: Uint8Array) => {
      controller.enqueue(chunk);
      request.pause();
    };
    const onEnd = () => {
      stop?.();
      controller.close();
    };
    const onClose = () => {
      stop?.();
      controller.error(gone());
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    return () => request.off('data', onData).off('end', onEnd).off('close', onClose);
  };
  return new ReadableStream(
    {
      pull(controller) {
        if (request.destroyed && !request.readableEnded) return controller.error(gone());
        stop ??= listen(controller);
        request.resume();
      },
      cancel() {
        stop?.();
        request.pause();
      },
    },
    { highWaterMark: 0 },
  );
}

/** So much may wait to be sent before no more is taken from an answer, in bytes: what is there at once goes out in one write. */
const ahead = 1024 * 1024;

async function write(request: IncomingMessage, response: ServerResponse, answer: Response): Promise<void> {
  const reader = answer.body?.getReader();
  if (response.destroyed) return reader?.cancel();
  const unread = isStillComing(request);
  if (unread) response.shouldKeepAlive = false;
  response.writeHead(answer.status, [...answer.headers].flat());
  response.once('close', () => void reader?.cancel().catch(ignore));
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    if (!response.write(next.value) && response.writableLength > ahead) await drained(response);
  if (response.destroyed) return;
  if (!unread) return void response.end();
  response.flushHeaders();
  readOn(request, () => response.end());
}

/** Waits until more can be written, or nothing any more. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
