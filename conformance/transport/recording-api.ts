import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';

export type RequestHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

export interface RecordingApi extends HttpApi {
  /** The received requests, in order. */
  readonly seen: readonly ApiRequest[];
}

/** An API with the paths `/v2` and below. It records requests and answers with the function of the case. */
export function recordingApi(handler: RequestHandler = () => json(200, {})): RecordingApi {
  const seen: ApiRequest[] = [];
  return {
    seen,
    matches: (_method, target) => /^\/v2([/?]|$)/.test(target),
    async handle(request) {
      seen.push(request);
      return handler(request);
    },
  };
}

const encoder = new TextEncoder();

export const bytes = (text: string): Uint8Array => encoder.encode(text);

/** A complete response with its length, as the core returns it. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  const body = bytes(JSON.stringify(value));
  const own = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(body.length) };
  return { status, headers: { ...own, ...headers }, body: [body] };
}

/** The most bytes that `echo` reads. */
export const bodyLimit = 1000;

/** Answers with the received body: `parsed`, or its `bytes`, or 413 if it is too large. */
export const echo: RequestHandler = async ({ body }) => {
  if ('parsed' in body) return json(200, { parsed: body.parsed });
  const read = await body.read(bodyLimit);
  return read === 'too_large' ? json(413, { message: 'Too large' }) : json(200, { bytes: [...read] });
};

/** A promise and the function that resolves it. Cases wait for events and never for time to pass. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly fire: (value: T) => void } {
  let fire: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}
