import { type Rendering, renderUncached } from '../../cache/index.js';
import { type ApiError, isApiError } from '../../errors/index.js';
import type { Row } from '../../model/index.js';
import type { Stamp } from '../../ports/index.js';
import { type BuildRow, renderBuild } from '../../representations/build.js';
import type { RequestContext, SerializedRecord } from '../contract/operation.js';
import { loadShared, versionOf } from '../load-shared.js';
import { renderPipelineBytes } from './render-pipeline.js';

/** A serialized build up to its pipeline. Its version covers its jobs; the other versions cover its creator and pipeline. */
interface RenderedBuild extends Rendering {
  readonly creator_id: string | null;
  readonly pipeline_id: string;
  readonly organization_id: string;
  readonly creatorVersion: number;
  readonly pipelineVersion: number;
}

/** The records of the path, as far as it names some. */
interface PathRecords {
  readonly organization?: Row<'organization'>;
  readonly pipeline?: Row<'pipeline'>;
}

type RenderBuildsContext = RequestContext<PathRecords, { readonly include_retried_jobs?: boolean | undefined }>;
type BuildRelations = Awaited<ReturnType<typeof loadBuildRelations>>;

/** Renders builds of any pipelines; each pipeline among them is rendered once. */
export async function renderCachedBuilds(
  stamps: readonly Stamp[],
  context: RenderBuildsContext,
): Promise<SerializedRecord[] | ApiError> {
  const kind = context.query.include_retried_jobs ? 'builds with retried jobs' : 'builds';
  const rendered = await renderUncached(stamps, {
    namespace: context.renderCache.namespace<RenderedBuild>(kind),
    load: (ids) => context.reader.load('build.ofPipeline', ids),
    loadShared: (builds) => loadBuildRelations(builds, context),
    isUpToDate: (rendering, { users, pipelines }) =>
      rendering.creatorVersion === versionOf(users.get(rendering.creator_id)) &&
      rendering.pipelineVersion === versionOf(pipelines.get(rendering.pipeline_id)),
    isAborted: context.isAborted,
    render: (build, relations) => renderBuildBytes(build, relations, context),
  });
  if (isApiError(rendered)) return rendered;
  const { renderings, shared } = rendered;
  const tails = await renderPipelineTails(shared, context);
  const chunks: SerializedRecord[] = [];
  for (const { id } of stamps) {
    const rendering = renderings.get(id);
    const tail = rendering && tails.get(rendering.pipeline_id);
    if (tail) chunks.push([rendering.bytes, tail]);
  }
  return chunks;
}

async function loadBuildRelations(
  builds: readonly Pick<Row<'build'>, 'creator_id' | 'pipeline_id' | 'organization_id'>[],
  { reader, records }: RenderBuildsContext,
) {
  const [users, pipelines, organizations] = await Promise.all([
    loadShared(reader, 'user.byEmail', builds, (build) => build.creator_id),
    loadShared(reader, 'pipeline.bySlug', builds, (build) => build.pipeline_id, records.pipeline),
    loadShared(reader, 'organization.bySlug', builds, (build) => build.organization_id, records.organization),
  ]);
  return { users, pipelines, organizations };
}

/** Undefined for a build whose pipeline is gone. */
function renderBuildBytes(
  build: BuildRow,
  { users, pipelines, organizations }: BuildRelations,
  context: RenderBuildsContext,
) {
  const { creator_id, pipeline_id, organization_id } = build;
  const creator = users.get(creator_id);
  const pipeline = pipelines.get(pipeline_id);
  const organization = organizations.get(organization_id);
  if (!pipeline || !organization) return undefined;
  const view = {
    organization: organization.slug,
    pipeline: pipeline.slug,
    creator: creator ?? null,
    includeRetried: context.query.include_retried_jobs ?? false,
  };
  const json = JSON.stringify(renderBuild(build, view, context.links));
  return {
    version: build.version,
    bytes: Buffer.from(`${json.slice(0, -1)},"pipeline":`),
    creator_id,
    pipeline_id,
    organization_id,
    creatorVersion: versionOf(creator),
    pipelineVersion: versionOf(pipeline),
  };
}

/** For each pipeline what its builds end with. */
async function renderPipelineTails({ pipelines, organizations }: BuildRelations, context: RequestContext) {
  const tails = new Map<string, Uint8Array>();
  await Promise.all(
    [...pipelines.values()].map(async (pipeline) => {
      const organization = organizations.get(pipeline.organization_id);
      if (organization) tails.set(pipeline.id, await renderPipelineBytes(pipeline, organization, context));
    }),
  );
  return tails;
}
