/** A request as a transport hands it over. Nothing is parsed: the core does that, the same for every transport. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query as they stood in the request line, still escaped, without the mount prefix. */
  readonly target: string;
  /** Names in lower case. A header that came several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly remoteAddress: string | undefined;
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal | undefined;
  readonly body: RequestBody;
}

export type RequestBody =
  /** Not read yet. `read` gives all bytes, or `too_large` once there are more than `limit` (it may leave the rest unread). */
  | { readonly read: (limit: number) => Promise<Uint8Array | 'too_large'> }
  /** The host's own body parser was first; `undefined` where there was no body. */
  | { readonly parsed: unknown };

/** An answer, complete: a transport adds nothing to it but what its protocol needs (`Date`, `Connection`, …). */
export interface ApiResponse {
  readonly status: number;
  /** Names as they go on the wire, such as `Content-Type`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ready chunks, to be written one after the other. No chunks: no body (204, HEAD). */
  readonly body: readonly Uint8Array[];
}

/** All of an Api that a transport needs. */
export interface HttpApi {
  /** Whether the path is one of the API's, so that a host can put it among its own routes. */
  matches(method: string, target: string): boolean;
  /** Never rejects: whatever goes wrong is an answer as well. */
  handle(request: ApiRequest): Promise<ApiResponse>;
}
