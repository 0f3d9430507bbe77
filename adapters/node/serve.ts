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
import type { ApiResponse, HttpApi } from '../../core/ports/index.js';
import { errorResponse } from '../http-shared/error-response.js';
import { normalizePrefix } from '../http-shared/prefix.js';
import { Connections } from './connections.js';
import { continueOnRead } from './expect-continue.js';
import { nodeHandler } from './handler.js';
import { rejectMalformed } from './parser-errors.js';
import { writeResponse } from './respond.js';
import { endSocketWithError } from './socket-error.js';

/** All times in milliseconds. */
export interface ListenOptions {
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** How long a client may take to send its headers. Default: 15 seconds. */
  readonly headersTimeout?: number | undefined;
  /** How long a client may take to send a whole request. Default: 60 seconds. */
  readonly requestTimeout?: number | undefined;
  /** How long a connection may stay open without a request. Default: 65 seconds, longer than the usual load balancer. */
  readonly keepAliveTimeout?: number | undefined;
  /** How long a connection with a request under way may transfer nothing, for example when a client stops reading. Default: 2 minutes. */
  readonly idleTimeout?: number | undefined;
  /** How often `headersTimeout` and `requestTimeout` are checked. Default: a quarter of `headersTimeout`, at most 5 seconds. */
  readonly connectionsCheckingInterval?: number | undefined;
  /** Largest size of all headers of a request, in bytes. Default: Node's, 16 KiB. */
  readonly maxHeaderSize?: number | undefined;
  /** Called with errors that belong to no request, such as a lack of file handles for connections. Default: ignored. */
  readonly onError?: ((error: Error) => void) | undefined;
}

export interface ServeOptions extends ListenOptions {
  /** Path that the API is mounted at, such as `/ci`. Default: none. */
  readonly prefix?: string | undefined;
}

export interface ServerHandle {
  /** The address of the API without a trailing slash: `http://127.0.0.1:4000`, followed by the prefix if there is one. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops the server: it accepts no new connections, closes idle ones and completes requests under way. Connections left after
   * `graceMs` (default: 10 seconds) are destroyed. Resolves when all are closed. Later calls wait for the first one.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}

/**
 * Serves an API over HTTP on its own server. Rejects with the `code` of the system's error if it cannot listen on the address.
 *
 *     const server = await serve(api, { port: 4000 });
 *     process.once('SIGTERM', () => server.close());
 */
export async function serve(api: HttpApi, options: ServeOptions = {}): Promise<ServerHandle> {
  const prefix = normalizePrefix(options.prefix);
  const server = await serveListener(nodeHandler(api, { prefix }), options);
  return { ...server, url: server.url + prefix };
}

/**
 * Serves any request listener with the limits, error responses and graceful stop of `serve`: `app.callback()` of Koa, an
 * Express app, or your own listener.
 */
export async function serveListener(listener: RequestListener, options: ListenOptions = {}): Promise<ServerHandle> {
  const { host = '127.0.0.1', idleTimeout = 120_000 } = options;
  const server = createServer(serverOptions(options));
  const connections = new Connections(server);
  server.timeout = idleTimeout;
  attachListeners(server, connections, listener);
  const { port } = await listen(server, host, options.port ?? 0);
  server.on('error', (error) => options.onError?.(error));
  let closing: Promise<void> | undefined;
  return {
    url: `http://${reachableHost(host)}:${port}`,
    port,
    close({ graceMs = 10_000 } = {}) {
      closing ??= stop(server, connections, graceMs);
      return closing;
    },
  };
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
