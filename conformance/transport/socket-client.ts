import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpApi } from '../../core/ports/index.js';
import type { OpenOptions, OpenTransport, RawRequest, RawResponse, TransportHarness } from './case.js';
import { parseResponse } from './response-parser.js';

/**
 * A client that writes requests and reads responses byte by byte. It reuses connections, so surplus bytes that a transport leaves on
 * a connection break the next response and are detected.
 */
export function socketClient(port: number): OpenTransport {
  const idle: Socket[] = [];
  const open = new Set<Socket>();

  async function connection(): Promise<Socket> {
    for (let socket = idle.pop(); socket; socket = idle.pop())
      if (socket.writable && !socket.readableEnded) return socket;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    await once(socket, 'connect');
    // Some cases cut connections on purpose.
    socket.on('error', () => {});
    return socket;
  }

  return {
    async send(request, abortSignal) {
      const socket = await connection();
      try {
        const response = await exchange(socket, request, abortSignal);
        if (socket.writable) idle.push(socket);
        return response;
      } catch (error) {
        socket.destroy();
        throw error;
      }
    },
    async close() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** A server that listens on a port of the loopback address. */
export interface ListeningServer {
  readonly port: number;
  close(): Promise<unknown>;
}

/** Makes the harness of a transport that is reached over sockets, from a function that starts listening. */
export const overSockets = (
  listen: (api: HttpApi, options: OpenOptions) => Promise<ListeningServer>,
): TransportHarness => ({
  async open(api, options = {}) {
    const server = await listen(api, options);
    const { send, close } = socketClient(server.port);
    return {
      send,
      async close() {
        await close();
        await server.close();
      },
    };
  },
});

/** Sends a request over a connection of its own and waits for the complete response. */
export function exchange(socket: Socket, request: RawRequest, abortSignal?: AbortSignal): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const settle = (act: () => void) => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      abortSignal?.removeEventListener('abort', onAbort);
      act();
    };
    const tryParse = (ended: boolean): boolean => {
      try {
        const found = parseResponse(Buffer.concat(pieces), request.method, ended);
        if (found === undefined) return false;
        if (found.rest.length > 0) throw new Error(`Bytes after the response: ${JSON.stringify(String(found.rest))}`);
        settle(() => resolve(found.answer));
      } catch (error) {
        settle(() => reject(error));
      }
      return true;
    };
    const onData = (piece: Buffer) => {
      pieces.push(piece);
      // A response that ends with its connection is parsed once at the end, not for every piece.
      if (!/\r\nconnection: close\r\n/i.test(pieces[0]?.toString('latin1', 0, 2000) ?? '')) tryParse(false);
    };
    const onEnd = () => {
      if (!tryParse(true))
        settle(() => reject(new Error(`The connection ended after the bytes ${Buffer.concat(pieces)}`)));
    };
    const onAbort = () => settle(() => reject(new DOMException('The client closed the connection', 'AbortError')));
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    abortSignal?.addEventListener('abort', onAbort);
    for (const piece of serializeRequest(request)) socket.write(piece);
  });
}

/** A request as bytes, in the pieces that are written one by one. */
function serializeRequest({ method, target, headers = [], body, unfinished = false }: RawRequest): Uint8Array[] {
  const pieces = body === undefined || body instanceof Uint8Array ? undefined : body;
  const framing: [string, string][] =
    pieces !== undefined
      ? [['Transfer-Encoding', 'chunked']]
      : body !== undefined
        ? [['Content-Length', String((body as Uint8Array).length + (unfinished ? 1 : 0))]]
        : [];
  const host = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', 'ci.test']];
  const lines = [...host, ...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (pieces === undefined) return body === undefined ? [head] : [head, body as Uint8Array];
  const chunks = pieces.map((piece) =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
  );
  return [head, ...chunks, ...(unfinished ? [] : [Buffer.from('0\r\n\r\n')])];
}
