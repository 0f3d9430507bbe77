import type { WireRequest, WireResponse } from './wire.js';

export interface SendOptions {
  /** A bearer token; null for none. Default: the service's own. */
  readonly token?: string | null;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** Sent as it is, with no content type but the one that the headers give. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status of a fault that the case has brought about; any other answer of 500 and above is an error. */
  readonly fault?: 500 | 503;
}

/** An answer with its body read. */
export interface ParsedResponse extends WireResponse {
  // biome-ignore lint/suspicious/noExplicitAny: a body is looked at field by field, after its schema was checked
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
