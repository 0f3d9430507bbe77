import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../http-shared/error-response.js';
import { bodyLength } from '../http-shared/framing.js';

/** In milliseconds: how long a rejected connection stays half open, so that the client can read the error. */
const lingerMs = 1000;

/** Writes an error response to a socket and ends it, for input that never became a request (decisions 12). */
export function endSocketWithError(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  const { headers, body } = errorResponse(status, message);
  const allHeaders = {
    ...headers,
    'Content-Length': bodyLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), ...body]));
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
