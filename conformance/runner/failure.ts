import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import fc, { type RunDetails } from 'fast-check';
import { formatReplay } from './replay.js';
import type { Failure } from './result.js';

/** The harness could not provide what the case needs. The error says nothing about the tested adapter. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
}

/** Runs a step that prepares or cleans up for a case. An exception becomes a `HarnessError`. */
export async function runHarnessStep<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new HarnessError(`${what}: ${messageOf(cause)}`, { cause });
  }
}

/** A property of a case failed or could not run. */
export class PropertyError extends Error {
  override readonly name = 'PropertyFailed';

  constructor(
    readonly details: RunDetails<unknown>,
    readonly property: number,
  ) {
    super('A property does not hold');
  }
}

/** Throws if a property failed. */
export function throwIfFailed(details: RunDetails<unknown>, property: number): void {
  if (details.failed) throw new PropertyError(details, property);
}

/** Describes what a case threw: `Fail` if the tested adapter is at fault, `Error` if the harness is. */
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
    const message = `The property could not run: ${fc.defaultReportMessage(details) ?? 'unknown reason'}`;
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

/** Storages from other packages may have their own copy of `StorageUnavailable`, so the name of the error decides. */
const isHarnessError = (thrown: unknown): boolean =>
  thrown instanceof HarnessError ||
  (thrown instanceof Error && (thrown.name === 'StorageUnavailable' || /^Unable to replay/.test(thrown.message)));

function describeError(thrown: unknown): Omit<Failure, 'replay'> {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? `\ncaused by: ${messageOf(thrown.cause)}` : '';
  const stack = [thrown, thrown instanceof Error ? thrown.cause : undefined].flatMap(stackFramesOf).join('\n');
  return {
    message: `${messageOf(thrown)}${thrown instanceof HarnessError ? '' : cause}`,
    ...(thrown instanceof AssertionError && !hasNoValues(thrown.expected, thrown.actual)
      ? { wanted: formatValue(thrown.expected), got: formatValue(thrown.actual) }
      : {}),
    ...(stack === '' ? {} : { stack }),
  };
}

/** Whether an assertion compares no values, such as `assert.fail`. */
const hasNoValues = (expected: unknown, actual: unknown): boolean => expected === undefined && actual === undefined;

const messageOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return formatValue(thrown);
  return thrown.name === 'Error' || thrown instanceof AssertionError || thrown instanceof HarnessError
    ? thrown.message
    : `${thrown.name}: ${thrown.message}`;
};

/** The stack frames of an error, innermost first, without those of Node, packages and this runner. */
const stackFramesOf = (thrown: unknown): string[] =>
  (thrown instanceof Error ? (thrown.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node:|node_modules|conformance\/runner\/|cli\/conforming\//.test(line))
    .slice(0, 8)
    .map((line) => line.trim().slice('at '.length));

const formatValue = (value: unknown): string =>
  inspect(value, { depth: 8, breakLength: 100, maxArrayLength: 50, maxStringLength: 2_000, sorted: false });
