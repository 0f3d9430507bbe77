import { buildNumberSequence } from '../commands/new-build.js';
import type { Storage } from '../ports/index.js';
import type { PlannedBuild } from './builds.js';

/** How many numbers a pipeline needs, and the highest one that the document gives by itself. */
interface NumberDemand {
  readonly count: number;
  readonly highest: number;
}

/** The first number for the builds of each pipeline whose numbers are not given, by the id of the pipeline. */
export type FirstBuildNumbers = ReadonlyMap<string, number>;

/**
 * Takes the numbers that new builds need from the sequences of their pipelines: above all that are given, in one piece. Later
 * builds get numbers above those that are given, too (spec 2.4).
 *
 * Should another process take a number out of the middle of the piece, one of the two commits answers `duplicate`, and is
 * decided again.
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
