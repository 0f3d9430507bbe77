import type { Parameters, RunDetails } from 'fast-check';

/**
 * How random tests are run. `MILLRACE_SEED` repeats a run that failed; `MILLRACE_RUNS` is a factor on the number of runs, such
 * as `0.2` for a quick look and `20` for a night. A runner that has a seed and a factor of its own sets them here.
 */
export let seed = whole(process.env.MILLRACE_SEED) ?? 20_260_117;

/** The seed where nobody has chosen one. */
export const defaultSeed = seed;

/** What the usual numbers of runs are multiplied with. */
export let factor = positive(process.env.MILLRACE_RUNS) ?? 1;

/** What a runner wants of the properties of the case that it runs. */
export interface Watch {
  /** The one value to try, and the property of the case, counted from 1, that is to try it. */
  readonly replay?: { readonly path: string; readonly property: number };
  /** Hears of every property that has run, and throws if it was found wrong. */
  ran(details: RunDetails<unknown>, property: number): void;
}

let watch: Watch | undefined;
let properties = 0;

/** How often properties have been tried in this process, in cases that were watched. */
export let tries = 0;

/** Sets the seed and the factor for what runs from now on; gives back a function that puts back what was there. */
export function set(given: { readonly seed: number; readonly runs: number }): () => void {
  const before = { seed, factor };
  seed = given.seed;
  factor = given.runs;
  return () => {
    seed = before.seed;
    factor = before.factor;
    watch = undefined;
  };
}

/** The properties that run from now on are those of a new case; they are watched so. */
export function beginCase(how: Watch): void {
  watch = how;
  properties = 0;
}

/** The number of runs to do where a test would by itself do that many. Never none. */
export const runs = (usual: number): number => Math.max(1, Math.round(usual * factor));

/** How fast-check is to try a property of a case: every property of the suite is tried so, each of a case after the other. */
export function trying<T>(usual: number): Parameters<T> {
  properties += 1;
  if (watch === undefined) return { seed, numRuns: runs(usual) };
  const { replay, ran } = watch;
  const property = properties;
  const reporter = (details: RunDetails<T>) => {
    tries += details.numRuns;
    ran(details as RunDetails<unknown>, property);
  };
  // The properties before the one that failed may have changed what it works on, so they run as they did.
  if (property !== replay?.property) return { seed, numRuns: runs(usual), reporter };
  return { seed, numRuns: 1, path: replay.path, endOnFailure: true, reporter };
}

function whole(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isSafeInteger(value) ? value : undefined;
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isFinite(value) && value > 0 ? value : undefined;
}
