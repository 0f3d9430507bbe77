/**
 * A template for a transport, over node:http only. It translates requests and responses and does nothing else: routing, access and
 * the meaning of bodies belong to the API. Replace `IncomingMessage` and `ServerResponse` by the types of your server.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse, HttpApi, RequestBody } from 'millrace';

/** A listener for `http.createServer` that responds to every request. `prefix` is the path that the API is mounted at, such as `/ci`. */
export function minimalTransport(api: HttpApi, prefix = ''): RequestListener {
  return async (request, response) => {
    // A client that disconnects emits `error`; without a listener that would end the process.
    for (const stream of [request, response]) stream.on('error', () => {});
    try {
      writeResponse(request, response, await handleRequest(request, response));
    } catch {
      // The API rejects against its contract, or a status or header is invalid.
      writeResponse(request, response, errorResponse(500, 'Something went wrong on our side'));
    }
  };

  /** 1. The request. The target stays as sent, including escapes; only scheme and host of an absolute target are removed. */
  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<ApiResponse> {
    const { method = 'GET', url = '/', socket } = request;
    const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
    const strippedTarget = target.slice(prefix.length);
    // `/ci` and `/ci?a` are below `/ci`; `/cix` is not.
    if (!target.startsWith(prefix) || !/^([/?]|$)/.test(strippedTarget))
      return errorResponse(404, `No route matches ${method} ${target.split('?')[0]}`);
    const clientAborted = new AbortController();
    response.on('close', () => response.writableEnded || clientAborted.abort());
    const apiRequest = {
      method,
      target: strippedTarget.replace(/^(?!\/)/, '/'),
      headers: headersOf(request),
      body: bodyOf(request),
    };
    return api.handle({ ...apiRequest, remoteAddress: socket.remoteAddress, signal: clientAborted.signal });
  }
}

/** 2. Headers: names in lower case, repeated ones joined, and no prototype, so that `constructor` is not found. */
function headersOf({ headersDistinct }: IncomingMessage): ApiRequest['headers'] {
  const joined = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.assign(Object.create(null), Object.fromEntries(joined));
}

/** 3. The body: read on demand and only once; at most `limit` bytes are buffered. */
function bodyOf(request: IncomingMessage): RequestBody {
  let bodyPromise: Promise<Uint8Array | 'too_large'> | undefined;
  const readAll = (limit: number) =>
    new Promise<Uint8Array | 'too_large'>((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      // Bytes beyond the limit are discarded, so that the connection can be reused.
      request.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > limit) resolve('too_large');
        else chunks.push(chunk);
      });
      request.on('end', () => resolve(Buffer.concat(chunks)));
      // A partial body must never pass for a complete one.
      const onClientAbort = () => reject(new Error('The client disconnected before its request was complete'));
      if (request.destroyed) onClientAbort();
      else request.on('close', onClientAbort);
    });
  return { read: (limit) => (bodyPromise ??= readAll(limit)) };
}

/** 4. The response: status, headers and chunks unchanged. Adds `Content-Length` if there is a body and the core has not set it. */
function writeResponse(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
): void {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  response.writeHead(status, hasBody ? { 'Content-Length': String(length), ...headers } : headers);
  if (hasBody) for (const chunk of body) response.write(chunk);
  response.end();
}

/** An error response of the transport itself, in the same form as the API's. */
function errorResponse(status: number, message: string): ApiResponse {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Link' };
  return { status, headers: { ...type, ...cors }, body: [Buffer.from(JSON.stringify({ message }))] };
}
