export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly target: string;
  readonly body?: string;
}

/** What a load generator is to do: the requests are asked one after the other by whoever of its connections is free. */
export interface LoadSpec {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly authorization: string;
  readonly connections: number;
  /** Milliseconds to go on, beginning with the first request again if need be; or each request once. */
  readonly until: number | 'asked';
}

export interface LoadResult {
  readonly requests: number;
  /** Answers other than 200 and 201. */
  readonly errors: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
}
