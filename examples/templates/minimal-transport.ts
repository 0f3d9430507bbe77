/**
 * A transport to begin with, over node:http and nothing else. It translates and does nothing more: what is a route, who may
 * come in and what a body means is the API's business. Put your protocol in the place of `IncomingMessage` and `ServerResponse`.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse, HttpApi, RequestBody } from 'millrace';

/** A listener for `http.createServer` that answers every request. `prefix` is a path such as `/ci`, below which the API stands. */
export function minimalTransport(api: HttpApi, prefix = ''): RequestListener {
  return async (request, response) => {
    // A client that hangs up is no error of ours. Nobody listening for it would end the process.
    for (const stream of [request, response]) stream.on('error', () => {});
    try {
      writeResponse(request, response, await handleRequest(request, response));
    } catch {
      // An API that breaks its promise never to reject, or a status or header that HTTP cannot carry.
      writeResponse(request, response, errorResponse(500, 'Something went wrong on our side'));
    }
  };

  /** 1. What goes in. The target stays as it was sent, escapes and all; only what proxies put in front of the path goes. */
  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<ApiResponse> {
    const { method = 'GET', url = '/', socket } = request;
    const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
    const strippedTarget = target.slice(prefix.length);
    // `/ci` and `/ci?a` are below `/ci`, `/cix` is not.
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

/** 2. Headers: names in lower case, those that came twice joined, and no prototype that would know `constructor`. */
function headersOf({ headersDistinct }: IncomingMessage): ApiRequest['headers'] {
  const joined = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.assign(Object.create(null), Object.fromEntries(joined));
}

/** 3. The body: read when it is asked for, and once, however often that is; never more than the limit is kept. */
function bodyOf(request: IncomingMessage): RequestBody {
  let bodyPromise: Promise<Uint8Array | 'too_large'> | undefined;
  const readAll = (limit: number) =>
    new Promise<Uint8Array | 'too_large'>((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      // What comes beyond the limit is thrown away, so that the connection can be used again.
      request.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > limit) resolve('too_large');
        else chunks.push(chunk);
      });
      request.on('end', () => resolve(Buffer.concat(chunks)));
      // Half a body must never pass for a whole one.
      const onClientAbort = () => reject(new Error('The client went away before its request was complete'));
      if (request.destroyed) onClientAbort();
      else request.on('close', onClientAbort);
    });
  return { read: (limit) => (bodyPromise ??= readAll(limit)) };
}

/** 4. What comes out: status, headers and chunks as they are. Only a length may be missing, where there is a body. */
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

/** An answer of the transport's own, in the form of those of the API. */
function errorResponse(status: number, message: string): ApiResponse {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Link' };
  return { status, headers: { ...type, ...cors }, body: [Buffer.from(JSON.stringify({ message }))] };
}
