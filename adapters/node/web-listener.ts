import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorResponse, internalErrorResponse } from '../http-shared/error-response.js';
import { toOriginForm } from '../http-shared/prefix.js';
import { clientAbortedError } from './body.js';
import { drainBody, isBodyPending } from './drain.js';
import { clientAbortSignal } from './request.js';
import { writeResponse } from './respond.js';

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
    void handleRequest(handler, request, response);
  };

const ignore = (): void => {};

async function handleRequest(handler: WebHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fetchRequest = toWebRequest(request, response);
  if (fetchRequest === undefined) return writeResponse(request, response, errorResponse(400, 'Malformed HTTP request'));
  try {
    await writeWebResponse(request, response, await handler(fetchRequest, request.socket.remoteAddress));
  } catch {
    if (response.headersSent) response.destroy();
    else writeResponse(request, response, internalErrorResponse());
  }
}

/** Undefined for a Host header, a method or a target of which there can be no `Request`. */
function toWebRequest(request: IncomingMessage, response: ServerResponse): Request | undefined {
  const { method = 'GET', url = '/', headers, headersDistinct } = request;
  const target = toOriginForm(url);
  const sent = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  const mayHaveBody = method !== 'GET' && method !== 'HEAD';
  const init = {
    method,
    headers: Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    ...(sent && mayHaveBody ? { body: bodyStream(request), duplex: 'half' as const } : {}),
  };
  try {
    const url = `http://${headers.host ?? 'localhost'}${target.startsWith('/') ? '' : '/'}${target}`;
    return withLazySignal(new Request(url, init), () => clientAbortSignal(request, response));
  } catch {
    return undefined;
  }
}

/**
 * Has a request make its signal when somebody asks for it: few handlers do, and it costs as much as all else of a `Request`. Of
 * the ways to copy a request, `clone()` and `new Request(request)` do not ask, and leave it behind.
 */
function withLazySignal(request: Request, make: () => AbortSignal): Request {
  let signal: AbortSignal | undefined;
  const get = (): AbortSignal => {
    signal ??= make();
    return signal;
  };
  return Object.defineProperty(request, 'signal', { configurable: true, enumerable: true, get });
}

/** The body as a stream that takes nothing from the connection before somebody reads it. */
function bodyStream(request: IncomingMessage): ReadableStream<Uint8Array> {
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
      controller.error(clientAbortedError());
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    return () => request.off('data', onData).off('end', onEnd).off('close', onClose);
  };
  return new ReadableStream(
    {
      pull(controller) {
        if (request.destroyed && !request.readableEnded) return controller.error(clientAbortedError());
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
const maxBufferedBytes = 1024 * 1024;

async function writeWebResponse(
  request: IncomingMessage,
  response: ServerResponse,
  fetchResponse: Response,
): Promise<void> {
  const reader = fetchResponse.body?.getReader();
  if (response.destroyed) return reader?.cancel();
  const hasUnreadBody = isBodyPending(request);
  if (hasUnreadBody) response.shouldKeepAlive = false;
  response.writeHead(fetchResponse.status, [...fetchResponse.headers].flat());
  response.once('close', () => void reader?.cancel().catch(ignore));
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    if (!response.write(next.value) && response.writableLength > maxBufferedBytes) await waitForDrain(response);
  if (response.destroyed) return;
  if (!hasUnreadBody) return void response.end();
  response.flushHeaders();
  drainBody(request, () => response.end());
}

/** Waits until more can be written, or nothing any more. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
