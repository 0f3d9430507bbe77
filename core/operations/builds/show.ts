import type { Call, Rendered } from '../../contract/operation.js';
import { Refusal } from '../../contract/refusal.js';
import { type Rendering, renderMissing } from '../../kept/index.js';
import type { Row } from '../../model/index.js';
import type { Stamp } from '../../ports/index.js';
import { type BuildRow, presentBuild } from '../../representations/build.js';
import { sharedById, versionOf } from '../shared.js';
import { renderPipeline } from './pipeline.js';

/** A build as it goes on the wire, up to its pipeline. Its version covers its jobs; the other two cover what else it shows. */
interface RenderedBuild extends Rendering {
  readonly creator_id: string | null;
  readonly pipeline_id: string;
  readonly organization_id: string;
  readonly creatorVersion: number;
  readonly pipelineVersion: number;
}

type ShowCall = Call<unknown, { readonly include_retried_jobs?: boolean | undefined }>;
type Shared = Awaited<ReturnType<typeof share>>;

/** Renders builds of any pipelines; each pipeline among them is rendered once. */
export async function showBuilds(stamps: readonly Stamp[], call: ShowCall): Promise<Rendered[] | Refusal> {
  const kind = call.query.include_retried_jobs ? 'builds with retried jobs' : 'builds';
  const rendered = await renderMissing(stamps, {
    shelf: call.renderings.shelf<RenderedBuild>(kind),
    load: (ids) => call.reader.load('build.ofPipeline', ids),
    share: (builds) => share(builds, call),
    isUpToDate: (rendering, { users, pipelines }) =>
      rendering.creatorVersion === versionOf(users.get(rendering.creator_id)) &&
      rendering.pipelineVersion === versionOf(pipelines.get(rendering.pipeline_id)),
    isAborted: call.isAborted,
    render: (build, known) => renderBuild(build, known, call),
  });
  if (rendered instanceof Refusal) return rendered;
  const { renderings, shared } = rendered;
  const tails = await renderPipelines(shared, call);
  const shown: Rendered[] = [];
  for (const { id } of stamps) {
    const rendering = renderings.get(id);
    const tail = rendering && tails.get(rendering.pipeline_id);
    if (tail) shown.push([rendering.bytes, tail]);
  }
  return shown;
}

async function share(
  builds: readonly Pick<Row<'build'>, 'creator_id' | 'pipeline_id' | 'organization_id'>[],
  { reader }: Call,
) {
  const [users, pipelines, organizations] = await Promise.all([
    sharedById(reader, 'user.byEmail', builds, (build) => build.creator_id),
    sharedById(reader, 'pipeline.bySlug', builds, (build) => build.pipeline_id),
    sharedById(reader, 'organization.bySlug', builds, (build) => build.organization_id),
  ]);
  return { users, pipelines, organizations };
}

/** Undefined for a build whose pipeline is gone. */
function renderBuild(build: BuildRow, { users, pipelines, organizations }: Shared, call: ShowCall) {
  const { creator_id, pipeline_id, organization_id } = build;
  const creator = users.get(creator_id);
  const pipeline = pipelines.get(pipeline_id);
  const organization = organizations.get(organization_id);
  if (!pipeline || !organization) return undefined;
  const view = {
    organization: organization.slug,
    pipeline: pipeline.slug,
    creator: creator ?? null,
    includeRetried: call.query.include_retried_jobs ?? false,
  };
  const own = JSON.stringify(presentBuild(build, view, call.links));
  return {
    version: build.version,
    bytes: Buffer.from(`${own.slice(0, -1)},"pipeline":`),
    creator_id,
    pipeline_id,
    organization_id,
    creatorVersion: versionOf(creator),
    pipelineVersion: versionOf(pipeline),
  };
}

/** For each pipeline what its builds end with. */
async function renderPipelines({ pipelines, organizations }: Shared, call: Call) {
  const tails = new Map<string, Uint8Array>();
  for (const pipeline of pipelines.values()) {
    const organization = organizations.get(pipeline.organization_id);
    if (!organization) continue;
    tails.set(pipeline.id, await renderPipeline(pipeline, organization, call));
  }
  return tails;
}
