import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { ApiRequest, ApiResponse, HttpApi } from '../../core/ports/index.js';

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: [Buffer.from(JSON.stringify(value))],
});

export type Answer = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** An API with the paths `/v2…` and `/`, that answers as the test says, and by default with what it was asked. */
export function fakeApi(answers: Readonly<Record<string, Answer>> = {}): HttpApi & { readonly seen: ApiRequest[] } {
  const seen: ApiRequest[] = [];
  const pathOf = (target: string) => target.split('?', 1)[0] ?? '';
  return {
    seen,
    matches: (_method, target) => /^\/($|v2(\/|$))/.test(pathOf(target)),
    async handle(request) {
      seen.push(request);
      const answer = answers[pathOf(request.target)];
      if (answer) return answer(request);
      const { method, target, headers } = request;
      return json(/^\/($|v2)/.test(target) ? 200 : 404, { method, target, headers: { ...headers } });
    },
  };
}

/** Answers with the body that came, or that it was too large. */
export const echo: Answer = async ({ body }) => {
  if ('parsed' in body) return json(200, { parsed: body.parsed });
  const bytes = await body.read(1000);
  return bytes === 'too_large'
    ? json(413, { message: 'Too large' })
    : json(200, { text: Buffer.from(bytes).toString() });
};

/** A promise and the function that fulfils it: tests wait for what has happened, never for time to pass. */
export function signal<T = void>(): { readonly promise: Promise<T>; readonly fire: (value: T) => void } {
  let fire: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

/** A plain TCP connection, with all that has come over it. */
export class Wire {
  text = '';
  readonly closed: Promise<void>;

  constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.text += chunk;
    });
    // A connection that is cut is what some tests are about.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => void socket.once('close', () => resolve()));
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Wire(socket);
  }

  send(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until what has come matches. Throws when the connection ends before it does. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) {
      const ended = await Promise.race([
        once(this.socket, 'data').then(
          () => false,
          () => this.closed.then(() => true),
        ),
        this.closed.then(() => true),
      ]);
      if (ended && !pattern.test(this.text)) throw new Error(`Connection ended with ${JSON.stringify(this.text)}`);
    }
    return this.text;
  }

  /** Everything up to the end of the connection. */
  async rest(): Promise<string> {
    await this.closed;
    return this.text;
  }
}

/** The answers in a stream of them, by their Content-Length. `heads` says which of them have no body all the same. */
export function parseAnswers(text: string): { status: number; headers: Record<string, string>; body: string }[] {
  const answers: { status: number; headers: Record<string, string>; body: string }[] = [];
  for (let left = text; left !== ''; ) {
    const end = left.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`Not an answer: ${JSON.stringify(left)}`);
    const [first = '', ...lines] = left.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) =>
        line
          .split(/: (.*)/s)
          .slice(0, 2)
          .map((part, i) => (i ? part : part.toLowerCase())),
      ),
    );
    const length = Number(headers['content-length'] ?? 0);
    answers.push({ status: Number(first.split(' ')[1]), headers, body: left.slice(end + 4, end + 4 + length) });
    left = left.slice(end + 4 + length);
  }
  return answers;
}

export const portOf = (address: AddressInfo | string | null): number => (address as AddressInfo).port;
