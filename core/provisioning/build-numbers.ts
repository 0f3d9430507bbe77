import { buildNumberSequence } from '../commands/new-build.js';
import type { Storage } from '../ports/index.js';
import type { PlannedBuild } from './builds.js';

/** How many new numbers a pipeline needs, and the highest number in the document. */
interface NumberDemand {
  readonly count: number;
  readonly highest: number;
}

/** The first new number of each pipeline, for its builds without a number in the document. By the id of the pipeline. */
export type FirstBuildNumbers = ReadonlyMap<string, number>;

/**
 * Reserves the numbers that new builds need in the sequences of their pipelines: a range of consecutive numbers above all
 * numbers in the document. Later builds get numbers above those in the document, too (spec 2.4).
 *
 * If another process takes a number from the middle of the range, one of the two commits returns `duplicate`, and its command
 * is retried.
 */
export async function reserveBuildNumbers(
  builds: readonly PlannedBuild[],
  next: Pick<Storage, 'next'>['next'],
): Promise<FirstBuildNumbers> {
  const firstNumbers = new Map<string, number>();
  for (const [pipelineId, { count, highest }] of countDemands(builds)) {
    const sequence = buildNumberSequence(pipelineId);
    if (count === 0) await next(sequence, highest - 1);
    else {
      const first = await next(sequence, highest);
      if (count > 1) await next(sequence, first + count - 2);
      firstNumbers.set(pipelineId, first);
    }
  }
  return firstNumbers;
}

function countDemands(builds: readonly PlannedBuild[]): Map<string, NumberDemand> {
  const demands = new Map<string, NumberDemand>();
  for (const { build } of builds) {
    const { count, highest } = demands.get(build.pipeline_id) ?? { count: 0, highest: 0 };
    demands.set(build.pipeline_id, {
      count: count + (build.number === 0 ? 1 : 0),
      highest: Math.max(highest, build.number),
    });
  }
  return demands;
}

/** The builds with their numbers, in the order of the document. */
export function assignBuildNumbers(builds: readonly PlannedBuild[], firstNumbers: FirstBuildNumbers): PlannedBuild[] {
  const numbers = new Map(firstNumbers);
  return builds.map((planned) => {
    const { build, jobs } = planned;
    if (build.number !== 0) return planned;
    const number = numbers.get(build.pipeline_id) ?? 0;
    numbers.set(build.pipeline_id, number + 1);
    return { ...planned, build: { ...build, number }, jobs: jobs.map((job) => ({ ...job, build_number: number })) };
  });
}
