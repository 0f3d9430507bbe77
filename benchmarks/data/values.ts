import { createHash } from 'node:crypto';

/** Generated values depend only on their number, so that every database and every run has the same data. */

/** The id of the `number`th record of a kind. Ids of one kind ascend, as generated ids do. */
export const idOf = (kind: number, number: number): string => `01920000-${hex(kind, 4)}-7000-8000-${hex(number, 12)}`;

const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** A point in time, given in seconds after the first build was created. */
export const timestamp = (seconds: number): string => new Date(epoch + seconds * 1_000).toISOString();

const epoch = Date.UTC(2024, 0, 1, 9, 30, 0, 125);

/** A pseudorandom number from 0 to 1, determined by a number and a purpose. */
export function seededRandom(number: number, purpose: number): number {
  let hash = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

export const pick = <T>(list: readonly T[], number: number, purpose: number): T =>
  list[Math.floor(seededRandom(number, purpose) * list.length)] as T;

export const sha = (text: string): string => createHash('sha1').update(text).digest('hex');
