import type { Case } from '../../case.js';
import type { ServiceHarness } from '../service.js';
import { type ApiVariant, type Exchange, type Recording, recordCase } from './recording.js';

/** The first difference of two recordings of a case. */
export interface Difference {
  readonly case: string;
  /** The number of the request, counted from 1. 0 if only the outcome of the case differs. */
  readonly request: number;
  /** A description with the differing parts of both recordings. */
  readonly says: string;
}

export interface Comparison {
  readonly cases: number;
  readonly requests: number;
  readonly differences: readonly Difference[];
}

/**
 * Runs each case with two variants of the Api and compares every byte of the requests and responses. Equal responses lead to equal
 * requests, because all random values come from the seed.
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
    // Concurrent requests may have been served in another order. Compare again with one request at a time.
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

/** The first difference of two recordings of the same case. Undefined if they are equal. */
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
    return `only ${who} had the request ${title(what as Exchange)}`;
  }
  const requestByte = firstDifferingByte(one.request, other.request);
  if (requestByte >= 0)
    return `byte ${requestByte} of the request: ${describeSides([one.request, other.request], requestByte, names)}`;
  const responseByte = firstDifferingByte(one.response, other.response);
  if (responseByte < 0) return undefined;
  return `${title(one)}: byte ${responseByte} of the response: ${describeSides([one.response, other.response], responseByte, names)}`;
}

/** The index of the first differing byte, -1 if there is none. */
function firstDifferingByte(one: Uint8Array, other: Uint8Array): number {
  if (Buffer.compare(one, other) === 0) return -1;
  let index = 0;
  while (one[index] === other[index]) index += 1;
  return index;
}

const title = ({ request }: Exchange): string => Buffer.from(request).toString().split('\n', 1)[0] ?? '';

const describeSides = (sides: readonly [Uint8Array, Uint8Array], index: number, names: Names): string =>
  sides.map((bytes, side) => `${names[side]} has ${JSON.stringify(excerptAt(bytes, index))}`).join(', ');

/** The bytes around an index. */
const excerptAt = (bytes: Uint8Array, index: number): string =>
  Buffer.from(bytes.subarray(Math.max(0, index - 40), index + 40)).toString();
