import type { Case } from '../../case.js';
import type { ServiceHarness } from '../service.js';
import { type Exchange, type Make, type Recording, record } from './recording.js';

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
  harness: Omit<ServiceHarness, 'wire' | 'make'>,
  sides: readonly [Make, Make],
): Promise<Comparison> {
  const differences: Difference[] = [];
  let requests = 0;
  for (const one of cases) {
    let found: Omit<Difference, 'case'> | undefined;
    // What differs may do so only because requests that were sent at once met in another order.
    for (const oneByOne of [false, true]) {
      const recordings = [
        await record(one, harness, sides[0], oneByOne),
        await record(one, harness, sides[1], oneByOne),
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
  for (let at = 0; at < Math.max(one.exchanges.length, other.exchanges.length); at += 1) {
    const says = parted([one.exchanges[at], other.exchanges[at]], names);
    if (says !== undefined) return { request: at + 1, says };
  }
  if (one.failure === other.failure) return undefined;
  const ended = ({ failure = 'passed' }: Recording) => failure;
  return { request: 0, says: `${names[0]}: ${ended(one)}; ${names[1]}: ${ended(other)}` };
}

function parted([one, other]: readonly [Exchange | undefined, Exchange | undefined], names: Names): string | undefined {
  if (one === undefined || other === undefined) {
    const [who, what] = one === undefined ? [names[1], other] : [names[0], one];
    return `only ${who} was asked ${title(what as Exchange)}`;
  }
  const asked = firstByte(one.asked, other.asked);
  if (asked >= 0) return `byte ${asked} of the request: ${both([one.asked, other.asked], asked, names)}`;
  const answered = firstByte(one.answered, other.answered);
  if (answered < 0) return undefined;
  return `${title(one)}: byte ${answered} of the answer: ${both([one.answered, other.answered], answered, names)}`;
}

/** The first byte in which they differ, counted from 0; -1 if there is none. */
function firstByte(one: Uint8Array, other: Uint8Array): number {
  if (Buffer.compare(one, other) === 0) return -1;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return at;
}

const title = ({ asked }: Exchange): string => Buffer.from(asked).toString().split('\n', 1)[0] ?? '';

const both = (sides: readonly [Uint8Array, Uint8Array], at: number, names: Names): string =>
  sides.map((bytes, side) => `${names[side]} has ${JSON.stringify(around(bytes, at))}`).join(', ');

/** What stands there, with a little of what is before and behind it. */
const around = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.subarray(Math.max(0, at - 40), at + 40)).toString();
