import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface PendingExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The open connections of a server and the requests under way on each, so that the server can close without cutting responses. */
export class Connections {
  readonly #pending = new Map<Socket, Set<PendingExchange>>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#pending.set(socket, new Set());
      socket.once('close', () => this.#pending.delete(socket));
    });
  }

  /** Registers a request. Must be called before its response is written. */
  track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const pending = this.#pending.get(socket);
    const entry = { request, response };
    pending?.add(entry);
    if (this.#draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      pending?.delete(entry);
      if (this.#draining && pending?.size === 0) socket.destroySoon();
    });
  }

  /** The requests on a connection whose responses are not complete. */
  pending(socket: Socket): readonly PendingExchange[] {
    return [...(this.#pending.get(socket) ?? [])];
  }

  /** Closes idle connections now, and the others after their last response. Responses not yet begun carry `Connection: close`. */
  drain(): void {
    this.#draining = true;
    for (const [socket, pending] of this.#pending) {
      if (pending.size === 0) socket.destroy();
      for (const { response } of pending) response.shouldKeepAlive = false;
    }
  }

  destroyAll(): void {
    for (const socket of this.#pending.keys()) socket.destroy();
  }
}
