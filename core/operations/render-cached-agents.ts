import { type Rendering, renderUncached } from '../cache/index.js';
import { type ApiError, isApiError } from '../errors/index.js';
import type { Row } from '../model/index.js';
import type { Stamp } from '../ports/index.js';
import { renderAgent } from '../representations/agent.js';
import type { RequestContext, SerializedRecord } from './contract/operation.js';
import { loadShared, versionOf } from './load-shared.js';

/** A serialized agent. Its version covers its job; `creatorVersion` covers its creator. */
interface RenderedAgent extends Rendering {
  readonly creator_id: string | null;
  readonly creatorVersion: number;
}

/** Renders agents of the organization that the path names. */
export async function renderCachedAgents(
  stamps: readonly Stamp[],
  {
    records: { organization },
    reader,
    renderCache,
    links,
    isAborted,
  }: RequestContext<{ readonly organization: Row<'organization'> }>,
): Promise<SerializedRecord[] | ApiError> {
  const rendered = await renderUncached(stamps, {
    namespace: renderCache.namespace<RenderedAgent>('agents'),
    load: (ids) => reader.load('agent.inOrganization', ids),
    loadShared: (agents) => loadShared(reader, 'user.byEmail', agents, (agent) => agent.creator_id),
    isUpToDate: ({ creator_id, creatorVersion }, users) => creatorVersion === versionOf(users.get(creator_id)),
    isAborted,
    render(agent, users) {
      // Renders the creator whose version is cached with the bytes; the one loaded with the agent may be newer or older.
      const creator = users.get(agent.creator_id) ?? null;
      const shown = renderAgent({ ...agent, creator }, organization.slug, links);
      return {
        version: agent.version,
        bytes: Buffer.from(`${JSON.stringify(shown)},`),
        creator_id: agent.creator_id,
        creatorVersion: creator?.version ?? 0,
      };
    },
  });
  if (isApiError(rendered)) return rendered;
  const shown: SerializedRecord[] = [];
  for (const { id } of stamps) {
    const rendering = rendered.renderings.get(id);
    if (rendering) shown.push([rendering.bytes]);
  }
  return shown;
}
