import type { Socket } from 'node:net';
import type { Connections } from './connections.js';
import { refuseSocket } from './refusal.js';

/** What the HTTP parser refuses, by the code of its error; all else that it refuses is 400. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request chunk extensions too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timed out'],
};

/**
 * Answers what never became a request (decisions 12). Requests before it on the same connection get their answers first, or
 * the refusal would be taken for the answer to one of them; where one of those has begun and cannot end, the connection just
 * closes.
 */
export function refuseMalformed(connections: Connections): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const refused = new WeakSet<Socket>();
  return (error, socket) => {
    const { code = '' } = error;
    const isParsers = code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (!isParsers || !socket.writable) return void socket.destroy();
    // The parser goes on complaining about every further packet.
    if (refused.has(socket)) return;
    refused.add(socket);
    const [status, message] = refusals[code] ?? [400, 'Malformed HTTP request'];
    const pending = connections.pending(socket);
    const broken = pending.find(({ request }) => !request.complete);
    const whole = pending.filter(({ request }) => request.complete);
    const finish = () => (broken?.response.headersSent ? socket.destroy() : refuseSocket(socket, status, message));
    if (whole.length === 0) return void finish();
    let left = whole.length;
    for (const { response } of whole)
      response.once('close', () => {
        left -= 1;
        if (left === 0) finish();
      });
  };
}
