/** The response with a page or one of its files, without the headers that all responses have. */
export interface PageAnswer {
  readonly status: number;
  /** Names as sent. `Content-Type` is included, `Content-Length` is not. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Pages for people that need no token, such as the reference. The API looks for a page if no operation has the path. HEAD,
 * OPTIONS and the error 405 are handled by the API itself.
 */
export interface Pages {
  /** Whether a page exists at a path. The path starts with a slash, is not decoded, and has no query. Never throws. */
  matches(path: string): boolean;
  /** The page at a path, or undefined. If it rejects, the API responds with 500. */
  get(path: string): Promise<PageAnswer | undefined>;
}
