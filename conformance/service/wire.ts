/** A request of a client. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response that a client receives. */
export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Carries requests to an Api: in process, or through a transport and a socket. */
export interface Wire {
  send(request: WireRequest): Promise<WireResponse>;
  close(): Promise<void>;
}
