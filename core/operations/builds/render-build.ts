import type { Creator, Row } from '../../model/index.js';
import { type Build, type BuildRow, renderBuild } from '../../representations/build.js';
import type { RequestContext } from '../contract/operation.js';
import { loadAndRenderPipeline } from './render-pipeline.js';

/** Presents a build that a command has changed or made, in the pipeline that the path names. */
export async function renderBuildWithPipeline(
  build: BuildRow,
  loadedCreator: Creator | null | Promise<Creator | null>,
  records: { readonly pipeline: Row<'pipeline'>; readonly organization: Row<'organization'> },
  context: RequestContext,
): Promise<Build> {
  const [creator, pipeline] = await Promise.all([
    loadedCreator,
    loadAndRenderPipeline(records.pipeline, records.organization, context),
  ]);
  const view = {
    organization: records.organization.slug,
    pipeline: records.pipeline.slug,
    creator,
    includeRetried: false,
  };
  return { ...renderBuild(build, view, context.links), pipeline };
}

/** The user who created the build; null if there is none, or the user no longer exists. */
export async function loadCreator(
  build: Row<'build'>,
  { reader }: Pick<RequestContext, 'reader'>,
): Promise<Creator | null> {
  const [creator] = build.creator_id === null ? [] : await reader.load('user.byEmail', [build.creator_id]);
  return creator ?? null;
}
