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
  /** How long it may take to send all of a request. Default: 60 seconds. */
  readonly requestTimeout?: number | undefined;
  /** How long a connection may stay open without a request. Default: 65 seconds, longer than load balancers keep theirs. */
  readonly keepAliveTimeout?: number | undefined;
  /** How long nothing may move on a connection with a request under way, such as when a client stops reading. Default: 2 minutes. */
  readonly idleTimeout?: number | undefined;
  /** How often the first two are looked at. Default: a quarter of `headersTimeout`, 5 seconds at most. */
  readonly connectionsCheckingInterval?: number | undefined;
  /** Size of all headers of a request, in bytes. Default: Node's, 16 KiB. */
  readonly maxHeaderSize?: number | undefined;
  /** Told of errors that no request is to blame for, such as no more file handles for connections. Default: nobody. */
  readonly onError?: ((error: Error) => void) | undefined;
}

export interface ServeOptions extends ListenOptions {
  /** Path below which the API stands, such as `/ci`. Default: none. */
  readonly prefix?: string | undefined;
}

export interface ServerHandle {
  /** Where the API stands, without a slash at the end: `http://127.0.0.1:4000`, with the prefix if there is one. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops: no new connections, idle ones are closed, requests under way get their answers. What is left after `graceMs`
   * (default: 10 seconds) is cut off. Resolves when all is closed. The first call counts, others wait for the same end.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}

/**
 * Serves an API over HTTP by itself. Rejects if the address cannot be listened on, with the `code` of the system's error.
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
 * Serves any request listener, with the limits, the refusals and the stop of `serve`: it is all the same whether that is
 * `app.callback()` of Koa, an Express app or a listener of one's own.
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

/** These have to be given when the server is made: set afterwards, its check of stalled connections does not see them. */
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
    // Refused by hand, since Node's own answer has no body.
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

/** The answer to a request that no listener should see; nothing after it is worth reading. */
function respondAndClose(request: IncomingMessage, response: ServerResponse, apiResponse: ApiResponse): void {
  response.on('error', () => {});
  response.shouldKeepAlive = false;
  writeResponse(request, response, apiResponse);
}

/** HTTP/1.1 demands one Host header; two of them are a way to make servers disagree. */
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

/** Who listens everywhere is reached on the loopback address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

async function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Not `server.close()`: that also destroys connections whose answer is written but not yet on the wire.
  NetServer.prototype.close.call(server);
  connections.drain();
  const timer = setTimeout(() => connections.destroyAll(), graceMs);
  await closed;
  clearTimeout(timer);
  // Now for the rest of it, such as the timer that looks for stalled connections.
  server.close();
}
