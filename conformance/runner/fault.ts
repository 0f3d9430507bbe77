import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import fc, { type RunDetails } from 'fast-check';
import { replayText } from './replay.js';
import type { Fault } from './result.js';

/** The harness could not give the case what it needs: nothing is known of what is under test. */
export class HarnessBroke extends Error {
  override readonly name = 'HarnessBroke';
}

/** Does something for a case that is no part of what the case tries. */
export async function asHarness<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new HarnessBroke(`${what}: ${messageOf(cause)}`, { cause });
  }
}

/** A property of a case does not hold, or could not be tried. */
export class PropertyFailed extends Error {
  override readonly name = 'PropertyFailed';

  constructor(
    readonly details: RunDetails<unknown>,
    readonly property: number,
  ) {
    super('A property does not hold');
  }
}

/** Throws if a property was found wrong. */
export function judge(details: RunDetails<unknown>, property: number): void {
  if (details.failed) throw new PropertyFailed(details, property);
}

/** What a case threw: whether the thing under test is to blame, and what there is to say. */
export function read(thrown: unknown, seed: number): { readonly status: 'Fail' | 'Error'; readonly fault: Fault } {
  if (!(thrown instanceof PropertyFailed)) {
    return { status: broke(thrown) ? 'Error' : 'Fail', fault: { ...told(thrown), replay: replayText({ seed }) } };
  }
  const { details, property } = thrown;
  const { counterexample, counterexamplePath, errorInstance, numRuns, numShrinks } = details;
  if (counterexample === null || counterexamplePath === null) {
    const message = `The property could not be tried: ${fc.defaultReportMessage(details) ?? 'no reason is known'}`;
    return { status: 'Error', fault: { message, replay: replayText({ seed }) } };
  }
  return {
    status: broke(errorInstance) ? 'Error' : 'Fail',
    fault: {
      ...told(errorInstance),
      counterexample: fc.stringify(counterexample),
      tried: { runs: numRuns, shrinks: numShrinks },
      replay: replayText({ seed: details.seed, path: counterexamplePath, property }),
    },
  };
}

/** Storages have their own copy of this class when they come from elsewhere; its name is part of its contract. */
const broke = (thrown: unknown): boolean =>
  thrown instanceof HarnessBroke ||
  (thrown instanceof Error && (thrown.name === 'StorageUnavailable' || /^Unable to replay/.test(thrown.message)));

function told(thrown: unknown): Omit<Fault, 'replay'> {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? `\nbecause: ${messageOf(thrown.cause)}` : '';
  const stack = [thrown, thrown instanceof Error ? thrown.cause : undefined].flatMap(placesIn).join('\n');
  return {
    message: `${messageOf(thrown)}${thrown instanceof HarnessBroke ? '' : cause}`,
    ...(thrown instanceof AssertionError && !same(thrown.expected, thrown.actual)
      ? { wanted: shown(thrown.expected), got: shown(thrown.actual) }
      : {}),
    ...(stack === '' ? {} : { stack }),
  };
}

/** An assertion that was given no values, such as `fail`, has none to show. */
const same = (expected: unknown, actual: unknown): boolean => expected === undefined && actual === undefined;

const messageOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return shown(thrown);
  return thrown.name === 'Error' || thrown instanceof AssertionError || thrown instanceof HarnessBroke
    ? thrown.message
    : `${thrown.name}: ${thrown.message}`;
};

/** Where it was thrown, nearest first, without what Node, the packages and this runner have to do with it. */
const placesIn = (thrown: unknown): string[] =>
  (thrown instanceof Error ? (thrown.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node:|node_modules|conformance\/runner\/|cli\/conforming\//.test(line))
    .slice(0, 8)
    .map((line) => line.trim().slice('at '.length));

const shown = (value: unknown): string =>
  inspect(value, { depth: 8, breakLength: 100, maxArrayLength: 50, maxStringLength: 2_000, sorted: false });
