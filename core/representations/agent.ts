import { choice, exact, type Infer, integer, list, nullable, text, timestamp, url, uuid } from '../contract/schema.js';
import { type AgentState, agentMachine } from '../machines/index.js';
import type { QueryRow } from '../model/index.js';
import { Job, presentJob } from './job.js';
import { graphqlId, type Links } from './links.js';
import { presentUserOrNull, User } from './user.js';

/** An agent (spec 2.2). */
export const Agent = exact(
  {
    id: uuid(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    name: text(),
    connection_state: choice(Object.keys(agentMachine) as AgentState[]),
    hostname: text(),
    ip_address: text(),
    user_agent: text(),
    version: text(),
    creator: nullable(User),
    created_at: timestamp(),
    job: nullable(Job),
    last_job_finished_at: nullable(timestamp()),
    priority: nullable(integer()),
    meta_data: list(text({ description: 'key=value' })),
  },
  { title: 'Agent', description: 'An agent, connected or not' },
);
export type Agent = Infer<typeof Agent>;

export function presentAgent(agent: QueryRow<'agent.inOrganization'>, organization: string, links: Links): Agent {
  return {
    id: agent.id,
    graphql_id: graphqlId('Agent', agent.id),
    ...links.agent(organization, agent.id),
    name: agent.name,
    connection_state: agent.connection_state,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    version: agent.agent_version,
    creator: presentUserOrNull(agent.creator),
    created_at: agent.created_at,
    job: agent.job ? presentJob(agent.job, organization, links) : null,
    last_job_finished_at: agent.last_job_finished_at,
    priority: agent.priority,
    meta_data: agent.meta_data,
  };
}
