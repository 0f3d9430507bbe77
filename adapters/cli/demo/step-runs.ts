import { branchAllowed } from '../../../core/commands/branch-filter.js';
import type { BuildSpec } from './build-specs.js';
import { type Step, stepsOf } from './pipelines.js';

/** One run of a step. A step with parallelism or a matrix has several. */
export interface StepRun {
  readonly step: Step;
  readonly index: number | null;
  readonly matrix: Readonly<Record<string, string>> | null;
  /** The number of wait and block steps before it. */
  readonly phase: number;
  readonly skipped: boolean;
}

/** The step runs of a build, in the order of the steps. */
export function stepRuns({ pipeline, branch }: BuildSpec): StepRun[] {
  let phase = 0;
  return stepsOf[pipeline].flatMap((step) => {
    const skipped = step.branches != null && !branchAllowed(step.branches, branch);
    const runs = combinations(step).map((combination): StepRun => ({ step, phase, skipped, ...combination }));
    if (isBarrier(step) && !skipped) phase += 1;
    return runs;
  });
}

export const isBarrier = ({ type }: Step): boolean => type === 'waiter' || type === 'manual';

function combinations({ matrix, parallelism }: Step): Pick<StepRun, 'index' | 'matrix'>[] {
  if (parallelism != null) return Array.from({ length: parallelism }, (_, index) => ({ index, matrix: null }));
  const rows = Object.entries(matrix ?? {}).reduce<Readonly<Record<string, string>>[]>(
    (all, [dimension, values]) => all.flatMap((row) => values.map((value) => ({ ...row, [dimension]: value }))),
    [{}],
  );
  return rows.map((row) => ({ index: null, matrix: matrix ? row : null }));
}
