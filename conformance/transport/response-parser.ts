import type { RawResponse } from './case.js';

type Head = Pick<RawResponse, 'status' | 'headers'>;

/**
 * Parses the response to a request with this method, and returns the bytes after it. Undefined if the response is not complete.
 * `ended` says that the connection has ended: a response without a length is complete only then. Throws if the bytes are no response.
 */
export function parseResponse(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { readonly answer: RawResponse; readonly rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = parseHead(bytes.toString('latin1', 0, end));
  const after = bytes.subarray(end + 4);
  if (head.status < 200) return parseResponse(after, method, ended);
  const complete = (body: Uint8Array, rest: Buffer) => ({ answer: { ...head, body }, rest });
  if (/^close$/i.test(headerOf(head, 'connection') ?? '')) {
    if (!ended) return undefined;
    const isChunked = isInChunks(head) && !hasNoBody(method, head.status);
    return complete(isChunked ? (parseChunks(after)?.body ?? after) : after, Buffer.alloc(0));
  }
  if (hasNoBody(method, head.status)) return complete(Buffer.alloc(0), after);
  if (isInChunks(head)) {
    const chunks = parseChunks(after);
    return chunks && complete(chunks.body, chunks.rest);
  }
  const length = Number(headerOf(head, 'content-length'));
  if (!Number.isSafeInteger(length)) throw new Error('A response without a length on a connection that stays open');
  return after.length < length ? undefined : complete(after.subarray(0, length), after.subarray(length));
}

const hasNoBody = (method: string, status: number): boolean => method === 'HEAD' || status === 204 || status === 304;

const isInChunks = (head: Head): boolean => headerOf(head, 'transfer-encoding') === 'chunked';

const headerOf = ({ headers }: Head, name: string): string | undefined =>
  headers.find(([headerName]) => headerName.toLowerCase() === name)?.[1];

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})( |$)/.exec(first)?.[1];
  if (status === undefined) throw new Error(`Not a response: ${JSON.stringify(first)}`);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers };
}

/** The joined chunks. Undefined until the last one has arrived. */
function parseChunks(bytes: Buffer): { readonly body: Buffer; readonly rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (bytes.length < end + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(end + 2) };
    chunks.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}
