import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorResponse, internalErrorResponse } from '../http-shared/error-response.js';
import { toOriginForm } from '../http-shared/prefix.js';
import { clientAbortedError } from './body.js';
import { drainBody, isBodyPending } from './drain.js';
import { clientAbortSignal } from './request.js';
import { writeResponse } from './respond.js';

/** A handler in the style of the Fetch standard that also receives the client's address. */
export type WebHandler = (request: Request, remoteAddress: string | undefined) => Response | Promise<Response>;

/**
 * A request listener that calls a fetch handler. The Fetch standard cannot express everything: dot segments in the path are
 * resolved, header names become lower case, and a GET has no body.
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

/** Undefined if the `Request` constructor does not accept the Host header, the method or the target. */
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
 * Creates the signal of a request on first access: few handlers use it, and it costs as much as the rest of a `Request`.
 * `clone()` and `new Request(request)` do not read the property, so copies have no such signal.
 */
function withLazySignal(request: Request, make: () => AbortSignal): Request {
  let signal: AbortSignal | undefined;
  const get = (): AbortSignal => {
    signal ??= make();
    return signal;
  };
  return Object.defineProperty(request, 'signal', { configurable: true, enumerable: true, get });
}

/** The body as a stream that reads from the connection only when it is read itself. */
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

/** In bytes: how much may wait in the socket before the response body is read further. Below it, chunks go out in one write. */
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

/** Resolves when the response accepts more data or is closed. */
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
