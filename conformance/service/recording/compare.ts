import type { Case } from '../../case.js';
import type { ServiceHarness } from '../service.js';
import { type ApiVariant, type Exchange, type Recording, recordCase } from './recording.js';

/** The first place where two recordings of a case part. */
export interface Difference {
  readonly case: string;
  /** The number of the request, counted from 1; 0 where the case itself ended otherwise. */
  readonly request: number;
  /** In words, with what stands there on both sides. */
  readonly says: string;
}

export interface Comparison {
  readonly cases: number;
  readonly requests: number;
  readonly differences: readonly Difference[];
}

/**
 * Runs each case twice, with the Api made in one way and in the other, and compares every byte of what was asked and
 * answered. The same requests are asked as long as the answers are the same, since all that is random comes from the seed.
 */
export async function compare(
  cases: readonly Case<ServiceHarness>[],
  harness: Omit<ServiceHarness, 'wire' | 'apiFactory'>,
  sides: readonly [ApiVariant, ApiVariant],
): Promise<Comparison> {
  const differences: Difference[] = [];
  let requests = 0;
  for (const one of cases) {
    let found: Omit<Difference, 'case'> | undefined;
    // What differs may do so only because requests that were sent at once met in another order.
    for (const sequentially of [false, true]) {
      const recordings = [
        await recordCase(one, harness, sides[0], sequentially),
        await recordCase(one, harness, sides[1], sequentially),
      ] as const;
      requests += recordings[0].exchanges.length;
      found = difference(recordings, [sides[0].name, sides[1].name]);
      if (found === undefined) break;
    }
    if (found !== undefined) differences.push({ case: one.id, ...found });
  }
  return { cases: cases.length, requests, differences };
}

type Names = readonly [string, string];

/** Where two recordings of the same case part first; undefined if they are the same. */
export function difference(
  [one, other]: readonly [Recording, Recording],
  names: Names,
): Omit<Difference, 'case'> | undefined {
  for (let index = 0; index < Math.max(one.exchanges.length, other.exchanges.length); index += 1) {
    const says = exchangeDifference([one.exchanges[index], other.exchanges[index]], names);
    if (says !== undefined) return { request: index + 1, says };
  }
  if (one.failure === other.failure) return undefined;
  const ended = ({ failure = 'passed' }: Recording) => failure;
  return { request: 0, says: `${names[0]}: ${ended(one)}; ${names[1]}: ${ended(other)}` };
}

function exchangeDifference(
  [one, other]: readonly [Exchange | undefined, Exchange | undefined],
  names: Names,
): string | undefined {
  if (one === undefined || other === undefined) {
    const [who, what] = one === undefined ? [names[1], other] : [names[0], one];
    return `only ${who} was asked ${title(what as Exchange)}`;
  }
  const asked = firstDifferingByte(one.asked, other.asked);
  if (asked >= 0) return `byte ${asked} of the request: ${describeSides([one.asked, other.asked], asked, names)}`;
  const answered = firstDifferingByte(one.answered, other.answered);
  if (answered < 0) return undefined;
  return `${title(one)}: byte ${answered} of the answer: ${describeSides([one.answered, other.answered], answered, names)}`;
}

/** The first byte in which they differ, counted from 0; -1 if there is none. */
function firstDifferingByte(one: Uint8Array, other: Uint8Array): number {
  if (Buffer.compare(one, other) === 0) return -1;
  let index = 0;
  while (one[index] === other[index]) index += 1;
  return index;
}

const title = ({ asked }: Exchange): string => Buffer.from(asked).toString().split('\n', 1)[0] ?? '';

const describeSides = (sides: readonly [Uint8Array, Uint8Array], index: number, names: Names): string =>
  sides.map((bytes, side) => `${names[side]} has ${JSON.stringify(excerptAt(bytes, index))}`).join(', ');

/** What stands there, with a little of what is before and behind it. */
const excerptAt = (bytes: Uint8Array, index: number): string =>
  Buffer.from(bytes.subarray(Math.max(0, index - 40), index + 40)).toString();
