import { buildStates, isFinished, isUnfinished, isWithAgent, jobStates } from '../../machines/index.js';
import type { Row } from '../../model/index.js';
import { type Pipeline, type PipelineCounters, renderPipeline } from '../../representations/pipeline.js';
import type { RequestContext } from '../contract/operation.js';

const runningBuilds = buildStates.filter((state) => !isFinished(state) && state !== 'scheduled');
const runningJobs = jobStates.filter(isWithAgent);
/** Jobs that stand behind a block step wait for a decision and not for an agent: they are not counted. */
const waitingJobs = jobStates.filter(
  (state) => isUnfinished(state) && !isWithAgent(state) && state !== 'scheduled' && state !== 'blocked',
);

interface PipelineStats {
  readonly builds: Readonly<Record<string, number>>;
  readonly jobs: Readonly<Record<string, number>>;
  readonly editable: boolean;
}

/** What a rendered pipeline has besides its columns: counts of builds and jobs by state, and whether the caller may edit it. */
async function loadPipelineStats(pipeline: Row<'pipeline'>, { reader, may }: RequestContext): Promise<PipelineStats> {
  const [builds, jobs, editable] = await Promise.all([
    reader.count('build.ofPipeline', { pipeline: pipeline.id }, 'state'),
    reader.count('job.ofPipeline', { pipeline: pipeline.id, state: jobStates }, 'state'),
    may({ to: 'edit_pipeline', pipeline }),
  ]);
  return { builds, jobs, editable };
}

/** Counts the builds and jobs of a pipeline that are not done (spec 2.5). */
function countersOf({ builds, jobs }: PipelineStats): PipelineCounters {
  const sum = (counts: Readonly<Record<string, number>>, states: readonly string[]) =>
    states.reduce((total, state) => total + (counts[state] ?? 0), 0);
  return {
    scheduled_builds_count: sum(builds, ['scheduled']),
    running_builds_count: sum(builds, runningBuilds),
    scheduled_jobs_count: sum(jobs, ['scheduled']),
    running_jobs_count: sum(jobs, runningJobs),
    waiting_jobs_count: sum(jobs, waitingJobs),
  };
}

/** The pipeline as rendered in builds for this caller. */
export async function loadAndRenderPipeline(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  context: RequestContext,
): Promise<Pipeline> {
  const stats = await loadPipelineStats(pipeline, context);
  const { editable } = stats;
  return renderPipeline(
    pipeline,
    { organization: organization.slug, counters: countersOf(stats), editable },
    context.links,
  );
}

/** The end of a serialized build: its pipeline, the closing brace, and the comma that follows. */
export async function renderPipelineBytes(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  context: RequestContext,
): Promise<Uint8Array> {
  return Buffer.from(`${JSON.stringify(await loadAndRenderPipeline(pipeline, organization, context))}},`);
}
