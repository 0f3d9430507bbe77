import type { Parameters, RunDetails } from 'fast-check';

/**
 * How random tests are run. `MILLRACE_SEED` repeats a run that failed; `MILLRACE_RUNS` is a factor on the number of runs, such
 * as `0.2` for a quick look and `20` for a night. A runner that has a seed and a factor of its own sets them here.
 */
export let seed = parseInteger(process.env.MILLRACE_SEED) ?? 20_260_117;

/** The seed where nobody has chosen one. */
export const defaultSeed = seed;

/** What the usual numbers of runs are multiplied with. */
export let runFactor = parsePositive(process.env.MILLRACE_RUNS) ?? 1;

/** What a runner wants of the properties of the case that it runs. */
export interface PropertyObserver {
  /** The one value to try, and the property of the case, counted from 1, that is to try it. */
  readonly replay?: { readonly path: string; readonly property: number };
  /** Hears of every property that has run, and throws if it was found wrong. */
  onRun(details: RunDetails<unknown>, property: number): void;
}

let observer: PropertyObserver | undefined;
let propertyCount = 0;

/** How often properties have been tried in this process, in cases that were watched. */
export let totalTries = 0;

/** Sets the seed and the factor for what runs from now on; gives back a function that puts back what was there. */
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

/** The properties that run from now on are those of a new case; they are watched so. */
export function beginCase(newObserver: PropertyObserver): void {
  observer = newObserver;
  propertyCount = 0;
}

/** The number of runs to do where a test would by itself do that many. Never none. */
export const scaledRuns = (defaultRuns: number): number => Math.max(1, Math.round(defaultRuns * runFactor));

/** How fast-check is to try a property of a case: every property of the suite is tried so, each of a case after the other. */
export function propertyParameters<T>(defaultRuns: number): Parameters<T> {
  propertyCount += 1;
  if (observer === undefined) return { seed, numRuns: scaledRuns(defaultRuns) };
  const { replay, onRun } = observer;
  const property = propertyCount;
  const reporter = (details: RunDetails<T>) => {
    totalTries += details.numRuns;
    onRun(details as RunDetails<unknown>, property);
  };
  // The properties before the one that failed may have changed what it works on, so they run as they did.
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
