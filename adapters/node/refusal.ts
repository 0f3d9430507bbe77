import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { lengthOf } from '../mount/framing.js';
import { refusal } from '../mount/refusal.js';

/** How long a connection that was refused stays half open, so that the client can read why, in milliseconds. */
const farewell = 1000;

/** Writes a refusal straight to a connection and ends it, for want of a request to answer (decisions 12). */
export function refuseSocket(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  const { headers, body } = refusal(status, message);
  const all = {
    ...headers,
    'Content-Length': lengthOf(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), ...body]));
  const timer = setTimeout(() => socket.destroy(), farewell).unref();
  socket.once('close', () => clearTimeout(timer));
}
