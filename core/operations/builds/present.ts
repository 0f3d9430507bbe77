import type { Call, Reader } from '../../contract/operation.js';
import type { BuildState, JobState } from '../../machines/index.js';
import type { Row } from '../../model/index.js';
import { type Build, presentBuild, type ShownBuild } from '../../representations/build.js';
import { type Pipeline, type PipelineCounters, presentPipeline } from '../../representations/pipeline.js';

const builds = {
  scheduled: ['scheduled'],
  running: ['running', 'failing', 'canceling'],
} as const satisfies Record<string, readonly BuildState[]>;

const jobs = {
  scheduled: ['scheduled'],
  running: ['assigned', 'accepted', 'running', 'canceling', 'timing_out'],
  waiting: ['pending', 'waiting', 'limiting', 'limited'],
} as const satisfies Record<string, readonly JobState[]>;

/** Counts the builds and jobs of a pipeline that are not done (spec 2.5). */
async function countersOf(pipeline: string, reader: Reader): Promise<PipelineCounters> {
  const window = { offset: 0, limit: 0, countUpTo: Number.MAX_SAFE_INTEGER };
  const countBuilds = async (state: readonly BuildState[]) =>
    (await reader.find('build.ofPipeline', { pipeline, state }, window)).total ?? 0;
  const countJobs = async (state: readonly JobState[]) =>
    (await reader.find('job.ofPipeline', { pipeline, state }, window)).total ?? 0;
  const [scheduledBuilds, runningBuilds, scheduledJobs, runningJobs, waitingJobs] = await Promise.all([
    countBuilds(builds.scheduled),
    countBuilds(builds.running),
    countJobs(jobs.scheduled),
    countJobs(jobs.running),
    countJobs(jobs.waiting),
  ]);
  return {
    scheduled_builds_count: scheduledBuilds,
    running_builds_count: runningBuilds,
    scheduled_jobs_count: scheduledJobs,
    running_jobs_count: runningJobs,
    waiting_jobs_count: waitingJobs,
  };
}

/** Presents builds; each pipeline among them is presented once. */
export async function presentBuilds(
  shown: readonly { build: ShownBuild; pipeline: Row<'pipeline'>; organization: Row<'organization'> }[],
  call: Call,
  includeRetried: boolean,
): Promise<Build[]> {
  const pipelines = new Map<string, Pipeline>();
  for (const { pipeline, organization } of shown) {
    if (!pipelines.has(pipeline.id)) pipelines.set(pipeline.id, await pipelineFor(pipeline, organization, call));
  }
  return shown.map(({ build, pipeline, organization }) => {
    const view = { organization: organization.slug, pipeline: pipelines.get(pipeline.id) as Pipeline, includeRetried };
    return presentBuild(build, view, call.links);
  });
}

async function pipelineFor(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  call: Call,
): Promise<Pipeline> {
  const [counters, editable] = await Promise.all([
    countersOf(pipeline.id, call.reader),
    call.may({ to: 'edit_pipeline', pipeline }),
  ]);
  return presentPipeline(pipeline, { organization: organization.slug, counters, editable }, call.links);
}

/** Presents one build of the pipeline that the path names. */
export async function presentOne(
  build: ShownBuild,
  at: { readonly pipeline: Row<'pipeline'>; readonly organization: Row<'organization'> },
  call: Call,
  includeRetried: boolean,
): Promise<Build> {
  const { pipeline, organization } = at;
  const [presented] = await presentBuilds([{ build, pipeline, organization }], call, includeRetried);
  return presented as Build;
}
