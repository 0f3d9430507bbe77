import type { HttpApi } from '../../core/index.js';

export interface OutgoingRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly link: string | null | undefined;
  readonly text: string;
}

/** Sends a request to an API. Rejects if there is no response. */
export type Sender = (request: OutgoingRequest) => Promise<RawResponse>;

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends over HTTP. `url` is the address that the API is mounted at, with or without a trailing slash. */
export function fetchSender(url: string, fetch: Fetch): Sender {
  const base = url.replace(/\/+$/, '');
  return async ({ target, method, headers, body, signal }) => {
    const init = { method, headers, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) };
    const response = await fetch(base + target, init);
    return { status: response.status, link: response.headers.get('link'), text: await response.text() };
  };
}

/** Calls an API in the same process. */
export function inProcessSender(api: HttpApi): Sender {
  return async ({ target, method, headers, body, signal }) => {
    signal?.throwIfAborted();
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const response = await api.handle({
      method,
      target,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      remoteAddress: undefined,
      signal,
      body: bytes ? { read: async (limit) => (bytes.length > limit ? 'too_large' : bytes) } : { parsed: undefined },
    });
    const decoder = new TextDecoder();
    const text = response.body.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
    const link = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'link')?.[1];
    return { status: response.status, link, text };
  };
}
