import type { Call, Reader } from '../../contract/operation.js';
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

interface Counts {
  readonly builds: Readonly<Record<string, number>>;
  readonly jobs: Readonly<Record<string, number>>;
}

/** The builds and jobs of a pipeline by their states. */
async function countsOf(pipeline: string, reader: Reader): Promise<Counts> {
  const [builds, jobs] = await Promise.all([
    reader.count('build.ofPipeline', { pipeline }, 'state'),
    reader.count('job.ofPipeline', { pipeline, state: jobStates }, 'state'),
  ]);
  return { builds, jobs };
}

/** Counts the builds and jobs of a pipeline that are not done (spec 2.5). */
function countersOf(counts: Counts): PipelineCounters {
  const sum = (by: Readonly<Record<string, number>>, states: readonly string[]) =>
    states.reduce((total, state) => total + (by[state] ?? 0), 0);
  return {
    scheduled_builds_count: sum(counts.builds, unfinishedBuilds.scheduled),
    running_builds_count: sum(counts.builds, unfinishedBuilds.running),
    scheduled_jobs_count: sum(counts.jobs, unfinishedJobs.scheduled),
    running_jobs_count: sum(counts.jobs, unfinishedJobs.running),
    waiting_jobs_count: sum(counts.jobs, unfinishedJobs.waiting),
  };
}

/** The pipeline as it stands in builds that the caller is shown. */
export async function pipelineFor(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  call: Call,
): Promise<Pipeline> {
  const [counts, editable] = await Promise.all([
    countsOf(pipeline.id, call.reader),
    call.may({ to: 'edit_pipeline', pipeline }),
  ]);
  return presented(pipeline, organization, counts, editable, call.links);
}

const presented = (
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  counts: Counts,
  editable: boolean,
  links: Links,
): Pipeline =>
  presentPipeline(pipeline, { organization: organization.slug, counters: countersOf(counts), editable }, links);

/** What builds of a pipeline end with, and all that it was made of. */
interface RenderedPipeline {
  readonly jobs: Counts['jobs'];
  readonly pipelineVersion: number;
  readonly organizationVersion: number;
  readonly links: Links;
  readonly bytes: Uint8Array;
}

/** While counts are kept, they are the same objects: as long as they are, so is what was rendered of them. */
const ofEditors = new WeakMap<Counts['builds'], RenderedPipeline>();
const ofOthers = new WeakMap<Counts['builds'], RenderedPipeline>();

/** What a rendered build ends with: its pipeline, its closing brace, and the comma that follows it. */
export async function renderPipeline(
  pipeline: Row<'pipeline'>,
  organization: Row<'organization'>,
  { reader, may, links }: Call,
): Promise<Uint8Array> {
  const [counts, editable] = await Promise.all([countsOf(pipeline.id, reader), may({ to: 'edit_pipeline', pipeline })]);
  const rendered = editable ? ofEditors : ofOthers;
  const known = rendered.get(counts.builds);
  if (
    known?.jobs === counts.jobs &&
    known.pipelineVersion === pipeline.version &&
    known.organizationVersion === organization.version &&
    known.links === links
  ) {
    return known.bytes;
  }
  const bytes = Buffer.from(`${JSON.stringify(presented(pipeline, organization, counts, editable, links))}},`);
  const made = { pipelineVersion: pipeline.version, organizationVersion: organization.version, links, bytes };
  rendered.set(counts.builds, { jobs: counts.jobs, ...made });
  return bytes;
}
