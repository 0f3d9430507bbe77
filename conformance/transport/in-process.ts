import type { OpenTransport, RawRequest, Send } from './case.js';

/** A handler of the Fetch standard. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Sends requests to a fetch handler by calling it. */
export function inProcessTransport(handler: FetchHandler): OpenTransport {
  const send: Send = async (request, abortSignal) => {
    const aborted = new Promise<never>((_, reject) =>
      abortSignal?.addEventListener('abort', () =>
        reject(new DOMException('The client closed the connection', 'AbortError')),
      ),
    );
    const responded = async () => {
      const response = await handler(requestOf(request, abortSignal));
      return {
        status: response.status,
        headers: [...response.headers],
        body: new Uint8Array(await response.arrayBuffer()),
      };
    };
    return Promise.race([responded(), aborted]);
  };
  return { send, close: async () => {} };
}

function requestOf({ method, target, headers = [], body }: RawRequest, abortSignal: AbortSignal | undefined): Request {
  const isWhole = body instanceof Uint8Array;
  // Servers pass on the Content-Length of the client, but the Request constructor does not set it.
  const length: [string, string][] = isWhole ? [['Content-Length', String(body.length)]] : [];
  return new Request(`http://ci.test${target}`, {
    method,
    headers: [...headers, ...length].map(([name, value]): [string, string] => [name, value]),
    ...(body === undefined
      ? {}
      : { body: isWhole ? (body as Uint8Array<ArrayBuffer>) : streamOf(body), duplex: 'half' }),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
  });
}

const streamOf = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> => {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
};
