/**
 * How random tests are run. `MILLRACE_SEED` repeats a run that failed; `MILLRACE_RUNS` is a factor on the number of runs, such
 * as `0.2` for a quick look and `20` for a night.
 */
export const seed = whole(process.env.MILLRACE_SEED) ?? 20_260_117;

/** The number of runs to do where a test would by itself do that many. Never none. */
export const runs = (usual: number): number =>
  Math.max(1, Math.round(usual * (positive(process.env.MILLRACE_RUNS) ?? 1)));

function whole(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isSafeInteger(value) ? value : undefined;
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isFinite(value) && value > 0 ? value : undefined;
}
