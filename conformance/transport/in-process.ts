import type { OpenTransport, RawRequest, Send } from './case.js';

/** A handler in the style of the Fetch standard. */
export type FetchStyle = (request: Request) => Response | Promise<Response>;

/** Sends requests to a fetch handler by calling it. */
export function inProcessTransport(handler: FetchStyle): OpenTransport {
  const send: Send = async (request, leave) => {
    const gone = new Promise<never>((_, reject) =>
      leave?.addEventListener('abort', () => reject(new DOMException('The client has left', 'AbortError'))),
    );
    const answered = async () => {
      const answer = await handler(requestOf(request, leave));
      return { status: answer.status, headers: [...answer.headers], body: new Uint8Array(await answer.arrayBuffer()) };
    };
    return Promise.race([answered(), gone]);
  };
  return { send, close: async () => {} };
}

function requestOf({ method, target, headers = [], body }: RawRequest, leave: AbortSignal | undefined): Request {
  const isWhole = body instanceof Uint8Array;
  // Servers pass on the length that the client has told; to construct a request does not set it.
  const length: [string, string][] = isWhole ? [['Content-Length', String(body.length)]] : [];
  return new Request(`http://ci.test${target}`, {
    method,
    headers: [...headers, ...length].map(([name, value]): [string, string] => [name, value]),
    ...(body === undefined
      ? {}
      : { body: isWhole ? (body as Uint8Array<ArrayBuffer>) : streamed(body), duplex: 'half' }),
    ...(leave === undefined ? {} : { signal: leave }),
  });
}

const streamed = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> => {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
};
