import type { Call } from '../../contract/operation.js';
import type { Creator, Row } from '../../model/index.js';
import { type Build, type BuildRow, presentBuild } from '../../representations/build.js';
import { pipelineFor } from './pipeline.js';

/** Presents a build that a command has changed or made, in the pipeline that the path names. */
export async function presentOne(
  build: BuildRow,
  creator: Creator | null,
  at: { readonly pipeline: Row<'pipeline'>; readonly organization: Row<'organization'> },
  call: Call,
): Promise<Build> {
  const view = { organization: at.organization.slug, pipeline: at.pipeline.slug, creator, includeRetried: false };
  const pipeline = await pipelineFor(at.pipeline, at.organization, call);
  return { ...presentBuild(build, view, call.links), pipeline };
}

/** The user who has made the build; null if nobody has, or nobody is known any more. */
export async function creatorOf(build: Row<'build'>, { reader }: Pick<Call, 'reader'>): Promise<Creator | null> {
  const [creator] = build.creator_id === null ? [] : await reader.load('user.byEmail', [build.creator_id]);
  return creator ?? null;
}
