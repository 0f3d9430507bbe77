import type { HttpApi } from '../../core/index.js';

export interface SendOptions {
  /** Sent as JSON; a string or bytes are sent as they are. Absent: no body. */
  readonly body?: unknown;
  /** A bearer token; null for none. Default: the service's own. */
  readonly token?: string | null | undefined;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface FakeResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; undefined where there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at a body field by field, and finds out what it is by that
  readonly body: any;
}

export type SendRequest = (method: string, target: string, options?: SendOptions) => Promise<FakeResponse>;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Sends requests to an API by calling it. `own` is the token that is used where none is named. */
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

/** Bytes as a body that is read when it is asked for. */
export const bodyReader =
  (bytes: Uint8Array) =>
  async (limit: number): Promise<Uint8Array | 'too_large'> =>
    bytes.byteLength > limit ? 'too_large' : bytes;
