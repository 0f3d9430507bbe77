import { createHash } from 'node:crypto';

/** The demo looks random but is deterministic: every varying value is derived from the hash of a name. */
const hashOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** A whole number from `from` to `to`, both included. */
export const integerBetween = (name: string, from: number, to: number): number =>
  from + (hashOf(name).readUInt32BE(0) % (to - from + 1));

export function pick<T>(name: string, choices: readonly T[]): T {
  const choice = choices[integerBetween(name, 0, choices.length - 1)];
  if (choice === undefined) throw new RangeError('There are no choices');
  return choice;
}

/** The forty hexadecimal digits of a commit. */
export const commitHash = (name: string): string => hashOf(name).toString('hex').slice(0, 40);

/** A UUID of version 7 with the given time. */
export function uuidOf(name: string, at: number): string {
  const hex = hashOf(name).toString('hex');
  const time = at.toString(16).padStart(12, '0');
  const variant = '89ab'.charAt(integerBetween(name, 0, 3));
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
