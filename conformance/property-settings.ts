import type { Parameters, RunDetails } from 'fast-check';

/**
 * Settings of property tests. `MILLRACE_SEED` repeats a failed run. `MILLRACE_RUNS` is a factor for the number of runs, such as
 * `0.2` for a quick check and `20` for a nightly one. A runner with its own seed and factor sets them here.
 */
export let seed = parseInteger(process.env.MILLRACE_SEED) ?? 20_260_117;

/** The seed if the caller does not choose one. */
export const defaultSeed = seed;

/** The factor for the default numbers of runs. */
export let runFactor = parsePositive(process.env.MILLRACE_RUNS) ?? 1;

/** How a runner follows the properties of the case that it runs. */
export interface PropertyObserver {
  /** The one value to try, as a fast-check path, and the property of the case that tries it, counted from 1. */
  readonly replay?: { readonly path: string; readonly property: number };
  /** Called after every property. Throws if the property failed. */
  onRun(details: RunDetails<unknown>, property: number): void;
}

let observer: PropertyObserver | undefined;
let propertyCount = 0;

/** Number of property runs in this process, in cases with an observer. */
export let totalTries = 0;

/** Sets the seed and the factor for all later properties. Returns a function that restores the previous settings. */
export function setSeedAndRuns(chosen: { readonly seed: number; readonly runs: number }): () => void {
  const before = { seed, runFactor };
  seed = chosen.seed;
  runFactor = chosen.runs;
  return () => {
    seed = before.seed;
    runFactor = before.runFactor;
    observer = undefined;
  };
}

/** Starts a new case: later properties are counted from 1 and reported to the observer. */
export function beginCase(newObserver: PropertyObserver): void {
  observer = newObserver;
  propertyCount = 0;
}

/** The default number of runs times the factor, at least 1. */
export const scaledRuns = (defaultRuns: number): number => Math.max(1, Math.round(defaultRuns * runFactor));

/** The fast-check parameters of the next property of the case. Every property of the suite uses them. */
export function propertyParameters<T>(defaultRuns: number): Parameters<T> {
  propertyCount += 1;
  if (observer === undefined) return { seed, numRuns: scaledRuns(defaultRuns) };
  const { replay, onRun } = observer;
  const property = propertyCount;
  const reporter = (details: RunDetails<T>) => {
    totalTries += details.numRuns;
    onRun(details as RunDetails<unknown>, property);
  };
  // Earlier properties of the case run in full: the failing one may depend on the state that they leave.
  if (property !== replay?.property) return { seed, numRuns: scaledRuns(defaultRuns), reporter };
  return { seed, numRuns: 1, path: replay.path, endOnFailure: true, reporter };
}

function parseInteger(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isSafeInteger(value) ? value : undefined;
}

function parsePositive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isFinite(value) && value > 0 ? value : undefined;
}
