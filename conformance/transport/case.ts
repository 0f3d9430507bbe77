import type { HttpApi } from '../../core/ports/index.js';
import type { Case } from '../case.js';

/** A request on the wire. Texts have one character per byte. */
export interface RawRequest {
  readonly method: string;
  /** The target of the request line. */
  readonly target: string;
  /** In order, with names as written. The client adds the headers that frame the body, and `Host` if it is missing. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Bytes that are sent with their length, or pieces that are sent as chunks. */
  readonly body?: Uint8Array | readonly Uint8Array[];
  /** Whether the announced body is longer than the sent one. Only over sockets. */
  readonly unfinished?: boolean;
}

/** A response on the wire. Texts have one character per byte. */
export interface RawResponse {
  readonly status: number;
  /** In order, with names as received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** With `Connection: close`, all bytes after the headers, also for HEAD, where there must be none. */
  readonly body: Uint8Array;
}

/**
 * Sends a request and waits for the complete response. Idle connections are reused. When the signal aborts, the client closes the
 * connection, and the promise rejects unless the response is complete.
 */
export type Send = (request: RawRequest, abortSignal?: AbortSignal) => Promise<RawResponse>;

export interface OpenOptions {
  /** The path below which the API is mounted. Default: none. */
  readonly prefix?: string;
  /** Whether the host program runs a JSON body parser before the transport. Default: no. */
  readonly bodyParser?: boolean;
}

/** An API behind a transport. */
export interface OpenTransport {
  readonly send: Send;
  close(): Promise<void>;
}

/** How the suite starts a transport. */
export interface TransportHarness {
  open(api: HttpApi, options?: OpenOptions): Promise<OpenTransport>;
}

/** Capabilities that only some transports have. */
export type TransportCapability =
  /** Requests come over sockets, so that cases can test connections. */
  | 'sockets'
  /** Targets that a URL parser would rewrite reach the API unchanged. */
  | 'raw-targets'
  /** The server in front of the API does not refuse malformed escapes. */
  | 'malformed-escapes'
  /** Header names are sent as the API writes them. */
  | 'header-case'
  /** The host program can run a body parser before the transport. */
  | 'body-parser'
  /** Requests that the API does not match go to the host program, which answers `the host`. */
  | 'own-routes'
  /** There is no host program: the API answers every path below its prefix. */
  | 'alone';

/** A test that a transport passes requests and responses on correctly. */
export interface TransportCase extends Case<TransportHarness> {
  readonly needs: readonly TransportCapability[];
}

/** Opens transports for a case. They are closed after the case. */
export type Open = (api: HttpApi, options?: OpenOptions) => Promise<Send>;

/** Declares a case. `needs` lists the capabilities that it needs. */
export const transportCase = (
  id: string,
  cites: readonly string[],
  needs: readonly TransportCapability[],
  run: (open: Open) => Promise<void>,
): TransportCase => ({
  id: `transport.${id}`,
  cites: cites.join('; '),
  needs,
  async run(harness) {
    const opened: OpenTransport[] = [];
    try {
      await run(async (api, options) => {
        const transport = await harness.open(api, options);
        opened.push(transport);
        return transport.send;
      });
    } finally {
      for (const { close } of opened) await close();
    }
  },
});
