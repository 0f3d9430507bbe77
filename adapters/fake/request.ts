import type { HttpApi } from '../../core/index.js';

export interface SendOptions {
  /** A value is sent as JSON; a string or bytes are sent unchanged. Default: no body. */
  readonly body?: unknown;
  /** The bearer token; null for none. Default: the token of the service. */
  readonly token?: string | null | undefined;
  /** Header names in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface FakeResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; undefined if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies field by field
  readonly body: any;
}

export type SendRequest = (method: string, target: string, options?: SendOptions) => Promise<FakeResponse>;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Sends requests by calling `api.handle`, by default with `defaultToken`. */
export const inProcessRequest =
  (api: HttpApi, defaultToken: string): SendRequest =>
  async (method, target, { body, token = defaultToken, headers = {} } = {}) => {
    const bytes = body === undefined ? undefined : bytesOf(body);
    const apiResponse = await api.handle({
      method,
      target,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(bytes === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(bytes.byteLength) }),
        ...lowerCase(headers),
      },
      remoteAddress: '127.0.0.1',
      body: bytes === undefined ? { parsed: undefined } : { read: bodyReader(bytes) },
    });
    const text = Buffer.concat(apiResponse.body).toString('utf8');
    return {
      status: apiResponse.status,
      headers: lowerCase(apiResponse.headers),
      body: text === '' ? undefined : JSON.parse(text),
    };
  };

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Bytes as the `read` function of a request body. */
export const bodyReader =
  (bytes: Uint8Array) =>
  async (limit: number): Promise<Uint8Array | 'too_large'> =>
    bytes.byteLength > limit ? 'too_large' : bytes;
