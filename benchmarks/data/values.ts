import { createHash } from 'node:crypto';

/** Everything that is generated follows from its number alone, so that every database and every run holds the same. */

/** The id of the `number`th record of a kind; ids of one kind ascend as those that a clock makes. */
export const idOf = (kind: number, number: number): string => `01920000-${hex(kind, 4)}-7000-8000-${hex(number, 12)}`;

const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** A point in time, so many seconds after the first build was made. */
export const timestamp = (seconds: number): string => new Date(epoch + seconds * 1_000).toISOString();

const epoch = Date.UTC(2024, 0, 1, 9, 30, 0, 125);

/** A number from 0 to 1 that belongs to this number and purpose. */
export function seededRandom(number: number, purpose: number): number {
  let hash = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

export const pick = <T>(list: readonly T[], number: number, purpose: number): T =>
  list[Math.floor(seededRandom(number, purpose) * list.length)] as T;

export const sha = (text: string): string => createHash('sha1').update(text).digest('hex');
