import type { Socket } from 'node:net';
import type { Connections } from './connections.js';
import { endSocketWithError } from './socket-error.js';

/** Status and message by the error code of the HTTP parser. All other parser errors are 400. */
const parserErrorStatuses: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request chunk extensions too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timed out'],
};

/**
 * Responds to input that the parser rejects (decisions 12). Earlier requests on the same connection get their responses first;
 * otherwise the client would take the error for one of those responses. If a response has begun that cannot be completed, the
 * connection closes without another response.
 */
export function rejectMalformed(connections: Connections): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const rejectedSockets = new WeakSet<Socket>();
  return (error, socket) => {
    const { code = '' } = error;
    const isParserError = code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (!isParserError || !socket.writable) return void socket.destroy();
    // The parser reports an error again for every further packet.
    if (rejectedSockets.has(socket)) return;
    rejectedSockets.add(socket);
    const [status, message] = parserErrorStatuses[code] ?? [400, 'Malformed HTTP request'];
    const pending = connections.pending(socket);
    const incomplete = pending.find(({ request }) => !request.complete);
    const complete = pending.filter(({ request }) => request.complete);
    const finish = () =>
      incomplete?.response.headersSent ? socket.destroy() : endSocketWithError(socket, status, message);
    if (complete.length === 0) return void finish();
    let remaining = complete.length;
    for (const { response } of complete)
      response.once('close', () => {
        remaining -= 1;
        if (remaining === 0) finish();
      });
  };
}
