/**
 * The text of a document, by its byte order mark or its XML declaration: UTF-8 (and so ASCII) or UTF-16. Bytes that are not
 * valid in that encoding are an error, not replaced.
 */
export function decode(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`The document is not valid ${encoding.slice(0, 6).toUpperCase()}`);
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(bytes: Uint8Array): Encoding {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (head === 'fffe0000' || head === '0000feff') throw unsupported('UTF-32');
  if (head.startsWith('fffe') || head === '3c003f00') return 'utf-16le';
  if (head.startsWith('feff') || head === '003c003f') return 'utf-16be';
  if (head.startsWith('efbbbf')) return 'utf-8';

  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1] ?? 'utf-8';
  if (/^(utf-?8|us-ascii|ascii)$/i.test(declared)) return 'utf-8';
  // The declaration was readable with one byte per character, so the document cannot be UTF-16.
  if (/^utf-?16/i.test(declared)) throw new Error(`The document says that it is ${declared}, which it is not`);
  throw unsupported(declared);
}

const unsupported = (encoding: string) =>
  new Error(`The encoding of the document is ${encoding}; only UTF-8 and UTF-16 are supported`);
