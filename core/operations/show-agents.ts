import type { Call, Rendered } from '../contract/operation.js';
import { Refusal } from '../contract/refusal.js';
import { type Rendering, renderMissing } from '../kept/index.js';
import type { Row } from '../model/index.js';
import type { Stamp } from '../ports/index.js';
import { presentAgent } from '../representations/agent.js';
import { sharedById, versionOf } from './shared.js';

/** An agent as it goes on the wire. Its version covers the job that it holds; the other one covers its creator. */
interface RenderedAgent extends Rendering {
  readonly creator_id: string | null;
  readonly creatorVersion: number;
}

/** Renders agents of the organization that the path names. */
export async function showAgents(
  stamps: readonly Stamp[],
  { at: { organization }, reader, renderings: kept, links, isAborted }: Call<{ readonly organization: Row<'organization'> }>,
): Promise<Rendered[] | Refusal> {
  const rendered = await renderMissing(stamps, {
    shelf: kept.shelf<RenderedAgent>('agents'),
    load: (ids) => reader.load('agent.inOrganization', ids),
    share: (agents) => sharedById(reader, 'user.byEmail', agents, (agent) => agent.creator_id),
    isUpToDate: ({ creator_id, creatorVersion }, users) => creatorVersion === versionOf(users.get(creator_id)),
    isAborted,
    render(agent, users) {
      // The same creator whose version stands beside the bytes; the one that came with the agent may be another one.
      const creator = users.get(agent.creator_id) ?? null;
      const shown = presentAgent({ ...agent, creator }, organization.slug, links);
      return {
        version: agent.version,
        bytes: Buffer.from(`${JSON.stringify(shown)},`),
        creator_id: agent.creator_id,
        creatorVersion: creator?.version ?? 0,
      };
    },
  });
  if (rendered instanceof Refusal) return rendered;
  const shown: Rendered[] = [];
  for (const { id } of stamps) {
    const rendering = rendered.renderings.get(id);
    if (rendering) shown.push([rendering.bytes]);
  }
  return shown;
}
