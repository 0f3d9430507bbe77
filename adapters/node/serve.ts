import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, isIPv6, Server as NetServer } from 'node:net';
import { checkOptions } from '../../core/options-check.js';
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { errorResponse } from '../http-shared/error-response.js';
import { readPrefix } from '../http-shared/prefix-option.js';
import { Connections } from './connections.js';
import { continueOnRead } from './expect-continue.js';
import { nodeHandler } from './handler.js';
import { rejectMalformed } from './parser-errors.js';
import { writeResponse } from './respond.js';
import {
  type CloseOptions,
  closeOptionChecks,
  type ListenOptions,
  listenOptionChecks,
  type ServeOptions,
  serveOptionChecks,
} from './serve-options.js';
import { endSocketWithError } from './socket-error.js';

/** A server that runs. `await using server = await serve(api)` closes it as well. */
export interface ServerHandle extends AsyncDisposable {
  /** The address of the API without a trailing slash: `http://127.0.0.1:4000`, followed by the prefix if there is one. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops the server: it accepts no new connections, closes idle ones and completes requests under way. Connections left after
   * `graceMs` (default: 10 seconds) are destroyed. Resolves when all are closed. Later calls wait for the first one.
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Serves an API over HTTP on its own server. Rejects with the `code` of the system's error if it cannot listen on the address.
 *
 *     const server = await serve(api, { port: 4000 });
 *     process.once('SIGTERM', () => server.close());
 */
export async function serve(api: HttpApi, options: ServeOptions = {}): Promise<ServerHandle> {
  const prefix = readPrefix('serve', options, serveOptionChecks);
  const server = await startServer(nodeHandler(api, { prefix }), options);
  return { ...server, url: server.url + prefix };
}

/**
 * Serves any request listener with the limits, error responses and graceful stop of `serve`: `app.callback()` of Koa, an
 * Express app, or your own listener.
 */
export async function serveListener(listener: RequestListener, options: ListenOptions = {}): Promise<ServerHandle> {
  checkOptions('serveListener', options, listenOptionChecks);
  return startServer(listener, options);
}

/** `serveListener` for options that have been checked. */
export async function startServer(listener: RequestListener, options: ListenOptions): Promise<ServerHandle> {
  const { host = '127.0.0.1', idleTimeout = 120_000 } = options;
  const server = createServer(serverOptions(options));
  const connections = new Connections(server);
  server.timeout = idleTimeout;
  attachListeners(server, connections, listener);
  const { port } = await listen(server, host, options.port ?? 0);
  server.on('error', (error) => options.onError?.(error));
  let closing: Promise<void> | undefined;
  const close = async (closeOptions: CloseOptions = {}): Promise<void> => {
    checkOptions('close', closeOptions, closeOptionChecks);
    closing ??= stop(server, connections, closeOptions.graceMs ?? 10_000);
    return closing;
  };
  return { url: `http://${reachableHost(host)}:${port}`, port, close, [Symbol.asyncDispose]: () => close() };
}

/** Options that `createServer` needs: Node's check of stalled connections ignores values that are set later. */
function serverOptions(options: ListenOptions): ServerOptions {
  const { keepAliveTimeout = 65_000, maxHeaderSize } = options;
  const headersTimeout = options.headersTimeout ?? Math.min(15_000, options.requestTimeout || 15_000);
  const requestTimeout = options.requestTimeout ?? Math.max(60_000, headersTimeout);
  const quarter = Math.max(10, Math.min(5000, (headersTimeout || requestTimeout || 20_000) / 4));
  return {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: options.connectionsCheckingInterval ?? quarter,
    // Checked by `hasHost`, since Node's own response has no body.
    requireHostHeader: false,
    ...(maxHeaderSize === undefined ? {} : { maxHeaderSize }),
  };
}

function attachListeners(server: Server, connections: Connections, listener: RequestListener): void {
  const onRequest: RequestListener = (request, response) => {
    connections.track(request, response);
    if (hasHost(request)) listener(request, response);
    else respondAndClose(request, response, errorResponse(400, 'Exactly one Host header is required'));
  };
  server.on('request', onRequest);
  server.on('checkContinue', (request, response) => {
    continueOnRead(request, response);
    onRequest(request, response);
  });
  server.on('checkExpectation', (request, response) => {
    continueOnRead(request, response);
    connections.track(request, response);
    respondAndClose(request, response, errorResponse(417, 'Expectation failed'));
  });
  server.on('connect', (_request, socket) => endSocketWithError(socket, 405, 'Method not allowed'));
  server.on('clientError', rejectMalformed(connections));
}

/** Responds to a request that must not reach the listener, and closes the connection. */
function respondAndClose(request: IncomingMessage, response: ServerResponse, apiResponse: ApiResponse): void {
  response.on('error', () => {});
  response.shouldKeepAlive = false;
  writeResponse(request, response, apiResponse);
}

/** HTTP/1.1 requires exactly one Host header. Servers may disagree about two, which request smuggling makes use of. */
const hasHost = ({ httpVersion, headersDistinct }: IncomingMessage): boolean =>
  (headersDistinct.host?.length ?? 0) === 1 || (httpVersion === '1.0' && headersDistinct.host === undefined);

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    server.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw Object.assign(new Error(`Port ${port} on ${host} is already in use`, { cause: error }), { code });
  }
  return server.address() as AddressInfo;
}

/** A server that listens on all addresses is reached on the loopback address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

async function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Not `server.close()`: that also destroys connections whose response is written but not yet sent.
  NetServer.prototype.close.call(server);
  connections.drain();
  const timer = setTimeout(() => connections.destroyAll(), graceMs);
  await closed;
  clearTimeout(timer);
  // Stops the rest, such as the timer that checks for stalled connections.
  server.close();
}
