/** A page or a part of one, complete but for the headers that all answers have. */
export interface PageAnswer {
  readonly status: number;
  /** Names as they go on the wire; `Content-Type` is among them, `Content-Length` is not. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * What people look at beside the API: pages that need no token, such as the reference. The API asks for them where no
 * operation has the path, and answers HEAD, OPTIONS and 405 by itself.
 */
export interface Pages {
  /** Whether there is something at a path; it starts with a slash, is as it was sent, and has no query. Never throws. */
  matches(path: string): boolean;
  /** What is there; undefined if nothing is. A rejection is answered with 500. */
  get(path: string): Promise<PageAnswer | undefined>;
}
