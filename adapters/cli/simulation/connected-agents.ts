import type { Storage } from '../../../core/index.js';
import type { QueryRow } from '../../../core/model/index.js';

export type Agent = QueryRow<'agent.inOrganization'>;

const batchSize = 200;
const maxAgents = 100_000;

/** All connected agents of all organizations. */
export async function connectedAgents(storage: Storage): Promise<Agent[]> {
  const agents: Agent[] = [];
  for (const connection_state of ['connected', 'stopping'] as const) {
    const window = { offset: 0, limit: maxAgents };
    const { stamps } = await storage.find('agent.silent', { connection_state }, window);
    const ids = stamps.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += batchSize) {
      agents.push(...(await storage.load('agent.inOrganization', ids.slice(from, from + batchSize))));
    }
  }
  return agents;
}
