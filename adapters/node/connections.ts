import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface PendingExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connections of a server, with the requests under way on each: what has to be known to end them without harm. */
export class Connections {
  readonly #pending = new Map<Socket, Set<PendingExchange>>();
  #draining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#pending.set(socket, new Set());
      socket.once('close', () => this.#pending.delete(socket));
    });
  }

  /** To be told of every request, before it is answered. */
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

  /** Requests on a connection that are not answered to the end. */
  pending(socket: Socket): readonly PendingExchange[] {
    return [...(this.#pending.get(socket) ?? [])];
  }

  /** Closes what is idle, and the others as soon as their answers are out; answers not begun yet say so. */
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
