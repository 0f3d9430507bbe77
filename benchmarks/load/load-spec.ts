export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly target: string;
  readonly body?: string;
}

/** A load. The requests are sent in this order, each by the next connection that is free. */
export interface LoadSpec {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly authorization: string;
  readonly connections: number;
  /** Milliseconds to run, starting over after the last request; or `asked` to send each request once. */
  readonly until: number | 'asked';
}

export interface LoadResult {
  readonly requests: number;
  /** Responses with a status other than 200 and 201. */
  readonly errors: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
}
