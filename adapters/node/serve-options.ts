import { anyFunction, type ChecksOf, integerFrom, milliseconds, nonEmptyText } from '../../core/options-check.js';
import { prefixCheck } from '../http-shared/prefix-option.js';

/** Options of a server. All times are in milliseconds; 0 switches a timeout off. */
export interface ListenOptions {
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Milliseconds that a client may take to send its headers. Default: 15,000. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds that a client may take to send a whole request. Default: 60,000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds that a connection may stay open without a request. Default: 65,000, longer than the usual load balancer. */
  readonly keepAliveTimeout?: number | undefined;
  /**
   * Milliseconds for which a connection with a request under way may transfer nothing, for example when a client stops reading.
   * Default: 120,000.
   */
  readonly idleTimeout?: number | undefined;
  /**
   * Milliseconds between two checks of `headersTimeout` and `requestTimeout`. Default: a quarter of `headersTimeout`, at most
   * 5,000.
   */
  readonly connectionsCheckingInterval?: number | undefined;
  /** Largest size of all headers of a request, in bytes. Default: Node's, 16 KiB. */
  readonly maxHeaderSize?: number | undefined;
  /** Called with errors that belong to no request, such as a lack of file handles for connections. Default: ignored. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Options of a server for an API. */
export interface ServeOptions extends ListenOptions {
  /** Path that the API is mounted at, such as `/ci`. Default: none. */
  readonly prefix?: string | undefined;
}

/** Options of `close` of a server. */
export interface CloseOptions {
  /** Milliseconds after which connections that are left are destroyed. Default: 10,000. */
  readonly graceMs?: number | undefined;
}

export const listenOptionChecks: ChecksOf<ListenOptions> = {
  host: nonEmptyText,
  port: integerFrom(0, 65_535),
  headersTimeout: milliseconds,
  requestTimeout: milliseconds,
  keepAliveTimeout: milliseconds,
  idleTimeout: milliseconds,
  connectionsCheckingInterval: milliseconds,
  maxHeaderSize: integerFrom(1),
  onError: anyFunction,
};

export const serveOptionChecks: ChecksOf<ServeOptions> = { ...listenOptionChecks, ...prefixCheck };

export const closeOptionChecks: ChecksOf<CloseOptions> = { graceMs: milliseconds };
