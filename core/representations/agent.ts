import { type AgentState, agentMachine } from '../machines/index.js';
import type { QueryRow } from '../model/index.js';
import {
  array,
  enumeration,
  type Infer,
  integer,
  nullable,
  strictObject,
  string,
  timestamp,
  url,
  uuid,
} from '../schema/schema.js';
import { Job, renderJob } from './job.js';
import { graphqlId, type Links } from './links.js';
import { renderUserOrNull, User } from './user.js';

/** An agent (spec 2.2). */
export const Agent = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    url: url(),
    web_url: url(),
    name: string(),
    connection_state: enumeration(Object.keys(agentMachine) as AgentState[]),
    hostname: string(),
    ip_address: string(),
    user_agent: string(),
    version: string(),
    creator: nullable(User),
    created_at: timestamp(),
    job: nullable(Job),
    last_job_finished_at: nullable(timestamp()),
    priority: nullable(integer()),
    meta_data: array(string({ description: 'key=value' })),
  },
  { title: 'Agent', description: 'An agent, connected or not' },
);
export type Agent = Infer<typeof Agent>;

export function renderAgent(agent: QueryRow<'agent.inOrganization'>, organization: string, links: Links): Agent {
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
    creator: renderUserOrNull(agent.creator),
    created_at: agent.created_at,
    job: agent.job ? renderJob(agent.job, organization, links) : null,
    last_job_finished_at: agent.last_job_finished_at,
    priority: agent.priority,
    meta_data: agent.meta_data,
  };
}
