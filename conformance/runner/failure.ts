import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import fc, { type RunDetails } from 'fast-check';
import { formatReplay } from './replay.js';
import type { Failure } from './result.js';

/** The harness could not give the case what it needs: nothing is known of what is under test. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
}

/** Does something for a case that is no part of what the case tries. */
export async function runHarnessStep<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new HarnessError(`${what}: ${messageOf(cause)}`, { cause });
  }
}

/** A property of a case does not hold, or could not be tried. */
export class PropertyError extends Error {
  override readonly name = 'PropertyFailed';

  constructor(
    readonly details: RunDetails<unknown>,
    readonly property: number,
  ) {
    super('A property does not hold');
  }
}

/** Throws if a property was found wrong. */
export function throwIfFailed(details: RunDetails<unknown>, property: number): void {
  if (details.failed) throw new PropertyError(details, property);
}

/** What a case threw: whether the thing under test is to blame, and what there is to say. */
export function failureFrom(
  thrown: unknown,
  seed: number,
): { readonly status: 'Fail' | 'Error'; readonly fault: Failure } {
  if (!(thrown instanceof PropertyError)) {
    return {
      status: isHarnessError(thrown) ? 'Error' : 'Fail',
      fault: { ...describeError(thrown), replay: formatReplay({ seed }) },
    };
  }
  const { details, property } = thrown;
  const { counterexample, counterexamplePath, errorInstance, numRuns, numShrinks } = details;
  if (counterexample === null || counterexamplePath === null) {
    const message = `The property could not be tried: ${fc.defaultReportMessage(details) ?? 'no reason is known'}`;
    return { status: 'Error', fault: { message, replay: formatReplay({ seed }) } };
  }
  return {
    status: isHarnessError(errorInstance) ? 'Error' : 'Fail',
    fault: {
      ...describeError(errorInstance),
      counterexample: fc.stringify(counterexample),
      tried: { runs: numRuns, shrinks: numShrinks },
      replay: formatReplay({ seed: details.seed, path: counterexamplePath, property }),
    },
  };
}

/** Storages have their own copy of this class when they come from elsewhere; its name is part of its contract. */
const isHarnessError = (thrown: unknown): boolean =>
  thrown instanceof HarnessError ||
  (thrown instanceof Error && (thrown.name === 'StorageUnavailable' || /^Unable to replay/.test(thrown.message)));

function describeError(thrown: unknown): Omit<Failure, 'replay'> {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? `\nbecause: ${messageOf(thrown.cause)}` : '';
  const stack = [thrown, thrown instanceof Error ? thrown.cause : undefined].flatMap(stackFramesOf).join('\n');
  return {
    message: `${messageOf(thrown)}${thrown instanceof HarnessError ? '' : cause}`,
    ...(thrown instanceof AssertionError && !hasNoValues(thrown.expected, thrown.actual)
      ? { wanted: formatValue(thrown.expected), got: formatValue(thrown.actual) }
      : {}),
    ...(stack === '' ? {} : { stack }),
  };
}

/** An assertion that was given no values, such as `fail`, has none to show. */
const hasNoValues = (expected: unknown, actual: unknown): boolean => expected === undefined && actual === undefined;

const messageOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return formatValue(thrown);
  return thrown.name === 'Error' || thrown instanceof AssertionError || thrown instanceof HarnessError
    ? thrown.message
    : `${thrown.name}: ${thrown.message}`;
};

/** Where it was thrown, nearest first, without what Node, the packages and this runner have to do with it. */
const stackFramesOf = (thrown: unknown): string[] =>
  (thrown instanceof Error ? (thrown.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node:|node_modules|conformance\/runner\/|cli\/conforming\//.test(line))
    .slice(0, 8)
    .map((line) => line.trim().slice('at '.length));

const formatValue = (value: unknown): string =>
  inspect(value, { depth: 8, breakLength: 100, maxArrayLength: 50, maxStringLength: 2_000, sorted: false });
