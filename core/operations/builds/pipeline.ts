import type { Call } from '../../contract/operation.js';
import { type BuildState, type JobState, jobStates } from '../../machines/index.js';
import type { Row } from '../../model/index.js';
import type { Links } from '../../representations/links.js';
import { type Pipeline, type PipelineCounters, presentPipeline } from '../../representations/pipeline.js';

const unfinishedBuilds = {
  scheduled: ['scheduled'],
  running: ['running', 'failing', 'canceling'],
} as const satisfies Record<string, readonly BuildState[]>;

const unfinishedJobs = {
  scheduled: ['scheduled'],
  running: ['assigned', 'accepted', 'running', 'canceling', 'timing_out'],
  waiting: ['pending', 'waiting', 'limiting', 'limited'],
} as const satisfies Record<string, readonly JobState[]>;

interface Standing {
  readonly builds: Readonly<Record<string, number>>;
  readonly jobs: Readonly<Record<string, number>>;
  readonly editable: boolean;
}

/** What a pipeline shows beside its own columns: its builds and jobs by their states, and whether the caller may edit it. */
async function standingOf(pipeline: Row<'pipeline'>, { reader, may }: Call): Promise<Standing> {
  const [builds, jobs, editable] = await Promise.all([
    reader.count('build.ofPipeline', { pipeline: pipeline.id }, 'state'),
    reader.count('job.ofPipeline', { pipeline: pipeline.id, state: jobStates }, 'state'),
    may({ to: 'edit_pipeline', pipeline }),
  ]);
  return { builds, jobs, editable };
}

/** Counts the builds and jobs of a pipeline that are not done (spec 2.5). */
function countersOf({ builds, jobs }: Standing): PipelineCounters {
  const sum = (by: Readonly<Record<string, number>>, states: readonly string[]) =>
    states.reduce((total, state) => total + (by[state] ?? 0), 0);
  return {
    scheduled_builds_count: sum(builds, unfinishedBuilds.scheduled),
    running_builds_count: sum(builds, unfinishedBuilds.running),
    scheduled_jobs_count: sum(jobs, unfinishedJobs.scheduled),
    running_jobs_count: sum(jobs, unfinishedJobs.running),
    waiting_jobs_count: sum(jobs, unfinishedJobs.waiting),
  };
}

/** The pipeline as it stands in builds that the caller is shown. */
export async function pipelineFor(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  call: Call,
): Promise<Pipeline> {
  return presented(pipeline, organization, await standingOf(pipeline, call), call.links);
}

const presented = (
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  standing: Standing,
  links: Links,
): Pipeline => {
  const { editable } = standing;
  return presentPipeline(
    pipeline,
    { organization: organization.slug, counters: countersOf(standing), editable },
    links,
  );
};

/** What builds of a pipeline end with, and all that it was made of. */
interface RenderedPipeline {
  readonly jobs: Standing['jobs'];
  readonly pipelineVersion: number;
  readonly organizationVersion: number;
  readonly links: Links;
  readonly bytes: Uint8Array;
}

/** While counts are kept, they are the same objects: as long as they are, so is what was rendered of them. */
const ofEditors = new WeakMap<Standing['builds'], RenderedPipeline>();
const ofOthers = new WeakMap<Standing['builds'], RenderedPipeline>();

/** What a rendered build ends with: its pipeline, its closing brace, and the comma that follows it. */
export async function renderPipeline(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  call: Call,
): Promise<Uint8Array> {
  const { links } = call;
  const standing = await standingOf(pipeline, call);
  const rendered = standing.editable ? ofEditors : ofOthers;
  const known = rendered.get(standing.builds);
  if (
    known?.jobs === standing.jobs &&
    known.pipelineVersion === pipeline.version &&
    known.organizationVersion === organization.version &&
    known.links === links
  ) {
    return known.bytes;
  }
  const bytes = Buffer.from(`${JSON.stringify(presented(pipeline, organization, standing, links))}},`);
  const made = { pipelineVersion: pipeline.version, organizationVersion: organization.version, links, bytes };
  rendered.set(standing.builds, { jobs: standing.jobs, ...made });
  return bytes;
}
