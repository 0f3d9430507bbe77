import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Ids } from '../ports/index.js';

/**
 * The text of a token: `prefix_`, random base62 characters, and six more that are their checksum (decisions 2). A mistyped
 * token is recognised without a query, and a leaked one is easy to search for.
 */
export type TokenPrefix = 'mra' | 'mrt';

/** API access tokens. */
export const accessTokenPrefix = 'mra';
/** Agent tokens. */
export const agentTokenPrefix = 'mrt';

/** Length of the random part. */
export const secretLength = 40;
const checksumLength = 6;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const makeToken = (prefix: TokenPrefix, ids: Ids): string => formatToken(prefix, ids.secret(secretLength));

/** A token with that random part: what fixtures that want a known token write. */
export const formatToken = (prefix: TokenPrefix, secret: string): string =>
  `${prefix}_${secret}${checksum(`${prefix}_${secret}`)}`;

export function isWellFormed(prefix: TokenPrefix, token: string): boolean {
  if (!/^[a-z]+_[0-9A-Za-z]{36,255}$/.test(token) || !token.startsWith(`${prefix}_`)) return false;
  return token.slice(-checksumLength) === checksum(token.slice(0, -checksumLength));
}

/** The stored form of a token: its SHA-256 in hexadecimal. */
export const digestOf = (token: string): string => hash('sha256', token);

/** Compares two digests in a time that does not depend on where they differ. */
export const sameDigest = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
