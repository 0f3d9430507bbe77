import { branchAllowed } from '../../../core/operations/builds/branch-filter.js';
import type { Story } from './history.js';
import { type Step, stepsOf } from './pipelines.js';

/** One run of a step; a step with parallelism or a matrix has several. */
export interface Run {
  readonly step: Step;
  readonly index: number | null;
  readonly matrix: Readonly<Record<string, string>> | null;
  /** How many wait and block steps stand before it. */
  readonly phase: number;
  readonly skipped: boolean;
}

/** The runs of a build on that branch, in the order of its steps. */
export function runsOf({ pipeline, branch }: Story): Run[] {
  let phase = 0;
  return stepsOf[pipeline].flatMap((step) => {
    const skipped = step.branches != null && !branchAllowed(step.branches, branch);
    const runs = combinations(step).map((place): Run => ({ step, phase, skipped, ...place }));
    if (isBarrier(step) && !skipped) phase += 1;
    return runs;
  });
}

export const isBarrier = ({ type }: Step): boolean => type === 'waiter' || type === 'manual';

function combinations({ matrix, parallelism }: Step): Pick<Run, 'index' | 'matrix'>[] {
  if (parallelism != null) return Array.from({ length: parallelism }, (_, index) => ({ index, matrix: null }));
  const rows = Object.entries(matrix ?? {}).reduce<Readonly<Record<string, string>>[]>(
    (all, [dimension, values]) => all.flatMap((row) => values.map((value) => ({ ...row, [dimension]: value }))),
    [{}],
  );
  return rows.map((row) => ({ index: null, matrix: matrix ? row : null }));
}
