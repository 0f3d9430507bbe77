import type { HttpApi } from '../../core/ports/index.js';
import type { Case } from '../case.js';

/** A request as it goes on the wire. Texts have one character a byte. */
export interface RawRequest {
  readonly method: string;
  /** What stands in the request line. */
  readonly target: string;
  /** In order, names as they are written. Those that frame the body are added, and `Host` where it is missing. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Bytes, sent with their length; or pieces of them, sent in chunks. */
  readonly body?: Uint8Array | readonly Uint8Array[];
  /** Whether more of the body is announced than is sent. Only over sockets. */
  readonly unfinished?: boolean;
}

/** An answer as it came over the wire. Texts have one character a byte. */
export interface RawResponse {
  readonly status: number;
  /** In order, names as they were written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** With `Connection: close`, all that came after the headers, on HEAD as well, where nothing should. */
  readonly body: Uint8Array;
}

/**
 * Sends a request and waits for all of the answer; a connection that is free is used again. When the signal aborts, the client
 * hangs up: the promise rejects then, unless the answer is there.
 */
export type Send = (request: RawRequest, abortSignal?: AbortSignal) => Promise<RawResponse>;

export interface OpenOptions {
  /** Path below which the API stands. Default: none. */
  readonly prefix?: string;
  /** Whether a body parser for JSON of the host's comes before the transport. Default: no. */
  readonly bodyParser?: boolean;
}

/** An API behind a transport. */
export interface OpenTransport {
  readonly send: Send;
  close(): Promise<void>;
}

/** How the suite gets at a transport. */
export interface TransportHarness {
  open(api: HttpApi, options?: OpenOptions): Promise<OpenTransport>;
}

/** What not every transport, or every host of it, can do. */
export type TransportCapability =
  /** Requests come over sockets, so that what belongs to connections can be tried. */
  | 'sockets'
  /** Targets that a URL parser would rewrite reach the API as they were sent. */
  | 'raw-targets'
  /** Nobody in front of the API refuses malformed escapes. */
  | 'malformed-escapes'
  /** Names of headers go out as the API writes them. */
  | 'header-case'
  /** The host can have a body parser in front. */
  | 'body-parser'
  /** Whatever is none of the API's paths goes to the host, which has `the host` to say to it. */
  | 'own-routes'
  /** There is no host: the API answers every path below its prefix. */
  | 'alone';

/** A test of what a transport keeps of requests and answers. */
export interface TransportCase extends Case<TransportHarness> {
  readonly needs: readonly TransportCapability[];
}

/** What a case needs of its harness: transports that it opens are closed behind it. */
export type Open = (api: HttpApi, options?: OpenOptions) => Promise<Send>;

/** `needs` are the claims without which the case says nothing. */
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
