import { type ApiError, errors } from '../errors/index.js';

/** One `name=value` or `name[key]=value` of a query string, decoded. `key` is `''` for `name[]`. */
export interface QueryPair {
  readonly name: string;
  readonly key: string | undefined;
  readonly value: string;
}

/** Decodes percent escapes. Undefined if they are malformed or not UTF-8, or if the text could not be escaped again. */
export function decodePercent(text: string): string | undefined {
  try {
    const decoded = text.includes('%') ? decodeURIComponent(text) : text;
    return decoded.isWellFormed() ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Splits a query string (without `?`) into its pairs, in order. `+` is a space; brackets may be percent-encoded
 * (decisions 1). A malformed escape makes the whole query invalid (decisions 12).
 */
export function parseQueryString(text: string): QueryPair[] | ApiError {
  const pairs: QueryPair[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decodePercent((equals < 0 ? part : part.slice(0, equals)).replaceAll('+', ' '));
    const value = decodePercent(equals < 0 ? '' : part.slice(equals + 1).replaceAll('+', ' '));
    if (name === undefined || value === undefined) return errors.queryMalformed();
    pairs.push({ ...splitBrackets(name), value });
  }
  return pairs;
}

/** `meta_data[a[b]]` is the name `meta_data` with the key `a[b]`; a name without a closing bracket at its end has none. */
function splitBrackets(name: string): { name: string; key: string | undefined } {
  const opening = name.indexOf('[');
  if (opening <= 0 || !name.endsWith(']')) return { name, key: undefined };
  return { name: name.slice(0, opening), key: name.slice(opening + 1, -1) };
}

/** Formats a pair for a URL. */
export function formatPair({ name, key, value }: QueryPair): string {
  const full = key === undefined ? name : `${name}[${key}]`;
  return `${encodeURIComponent(full)}=${encodeURIComponent(value)}`;
}
