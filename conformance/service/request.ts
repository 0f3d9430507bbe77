import type { WireRequest, WireResponse } from './wire.js';

export interface SendOptions {
  /** A bearer token, or null for none. Default: the token of the service. */
  readonly token?: string | null;
  /** Sent as JSON. A string is sent unchanged. */
  readonly body?: unknown;
  /** Sent unchanged. The content type is only set by `headers`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status of a fault that the case caused. Any other status of 500 and above is an error. */
  readonly fault?: 500 | 503;
}

/** A response with its parsed body. */
export interface ParsedResponse extends WireResponse {
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against their schema before the cases read them
  readonly body: any;
}

export function buildRequest(
  method: string,
  target: string,
  { token = null, body, raw, headers = {} }: SendOptions,
): WireRequest {
  const payload = raw ?? (body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  return {
    method,
    target,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  };
}

export const parseBody = (response: WireResponse): ParsedResponse => ({
  ...response,
  body: response.text === '' ? undefined : JSON.parse(response.text),
});
