import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: [Buffer.from(JSON.stringify(value))],
});

export type StubHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** An API with the paths `/v2…` and `/`. Calls the handler of the path; by default it responds with the request's method, target and headers. */
export function stubApi(
  responses: Readonly<Record<string, StubHandler>> = {},
): HttpApi & { readonly seen: ApiRequest[] } {
  const seen: ApiRequest[] = [];
  const pathOf = (target: string) => target.split('?', 1)[0] ?? '';
  return {
    seen,
    matches: (_method, target) => /^\/($|v2(\/|$))/.test(pathOf(target)),
    async handle(request) {
      seen.push(request);
      const respond = responses[pathOf(request.target)];
      if (respond) return respond(request);
      const { method, target, headers } = request;
      return json(/^\/($|v2)/.test(target) ? 200 : 404, { method, target, headers: { ...headers } });
    },
  };
}

/** Responds with the received body, or with 413. */
export const echo: StubHandler = async ({ body }) => {
  if ('parsed' in body) return json(200, { parsed: body.parsed });
  const bytes = await body.read(1000);
  return bytes === 'too_large'
    ? json(413, { message: 'Too large' })
    : json(200, { text: Buffer.from(bytes).toString() });
};

/** A promise and the function that fulfils it, so that tests wait for events and never for time to pass. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly fire: (value: T) => void } {
  let fire: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

/** A plain TCP connection that records the received text. */
export class RawConnection {
  received = '';
  readonly closed: Promise<void>;

  constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.received += chunk;
    });
    // Some tests destroy connections on purpose.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => void socket.once('close', () => resolve()));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until the received text matches. Throws if the connection ends before that. */
  async waitFor(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) {
      const ended = await Promise.race([
        once(this.socket, 'data').then(
          () => false,
          () => this.closed.then(() => true),
        ),
        this.closed.then(() => true),
      ]);
      if (ended && !pattern.test(this.received))
        throw new Error(`Connection ended with ${JSON.stringify(this.received)}`);
    }
    return this.received;
  }

  /** Waits for the end of the connection and returns the received text. */
  async readToEnd(): Promise<string> {
    await this.closed;
    return this.received;
  }
}

/** Splits a text into HTTP responses by their Content-Length. */
export function parseResponses(text: string): { status: number; headers: Record<string, string>; body: string }[] {
  const responses: { status: number; headers: Record<string, string>; body: string }[] = [];
  for (let remaining = text; remaining !== ''; ) {
    const end = remaining.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`Not an HTTP response: ${JSON.stringify(remaining)}`);
    const [first = '', ...lines] = remaining.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) =>
        line
          .split(/: (.*)/s)
          .slice(0, 2)
          .map((text, index) => (index ? text : text.toLowerCase())),
      ),
    );
    const length = Number(headers['content-length'] ?? 0);
    responses.push({ status: Number(first.split(' ')[1]), headers, body: remaining.slice(end + 4, end + 4 + length) });
    remaining = remaining.slice(end + 4 + length);
  }
  return responses;
}

export const portOf = (address: AddressInfo | string | null): number => (address as AddressInfo).port;
