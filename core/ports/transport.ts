/** A request from a transport. The core parses it, in the same way for every transport. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query of the request line, still escaped, without the mount prefix. */
  readonly target: string;
  /** Names in lower case. The values of a repeated header are joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly remoteAddress: string | undefined;
  /** Aborted when the client closes the connection. */
  readonly signal?: AbortSignal | undefined;
  readonly body: RequestBody;
}

export type RequestBody =
  /** Not read yet. `read` returns all bytes, or `too_large` if there are more than `limit`; the rest may stay unread. */
  | { readonly read: (limit: number) => Promise<Uint8Array | 'too_large'> }
  /** The body, already read by a body parser of the host program. `undefined` if there was no body. */
  | { readonly parsed: unknown };

/** A complete response. A transport adds only what its protocol needs (`Date`, `Connection`, …). */
export interface ApiResponse {
  readonly status: number;
  /** Names as sent, such as `Content-Type`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks to write one after another. No chunks means no body (204, HEAD). */
  readonly body: readonly Uint8Array[];
}

/** The part of an Api that a transport uses. */
export interface HttpApi {
  /** Whether the path belongs to the API, so that a host program can mount it among its own routes. */
  matches(method: string, target: string): boolean;
  /** Never rejects: errors become responses. */
  handle(request: ApiRequest): Promise<ApiResponse>;
}
