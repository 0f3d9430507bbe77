import type { QueryRow } from '../model/index.js';
import { type Infer, nullable, strictObject, string, timestamp, url, uuid } from '../schema/schema.js';
import { graphqlId, type Links } from './links.js';
import { renderUserOrNull, User, type WithUsers } from './user.js';

const fields = {
  id: uuid(),
  graphql_id: string(),
  description: string(),
  allowed_ip_addresses: nullable(string({ description: 'IPv4 addresses and CIDR blocks, separated by white space' })),
  url: url(),
  cluster_url: url(),
  created_at: timestamp(),
  created_by: nullable(User),
};

/** An agent token without the token itself (spec 2.8). */
export const AgentToken = strictObject(fields, {
  title: 'AgentToken',
  description: 'A token that connects agents to a cluster',
});
export type AgentToken = Infer<typeof AgentToken>;

/** An agent token in the response to its creation, the only one with the token itself. */
export const NewAgentToken = strictObject(
  { ...fields, token: string({ description: 'The text of the token: shown here, and never again' }) },
  { title: 'NewAgentToken', description: 'A new agent token' },
);

export const renderAgentToken = (
  token: WithUsers<QueryRow<'agentToken.inCluster'>, 'created_by'>,
  organization: string,
  links: Links,
): AgentToken => ({
  id: token.id,
  graphql_id: graphqlId('ClusterToken', token.id),
  description: token.description,
  allowed_ip_addresses: token.allowed_ip_addresses,
  url: `${links.cluster(organization, token.cluster_id).url}/tokens/${token.id}`,
  cluster_url: links.cluster(organization, token.cluster_id).url,
  created_at: token.created_at,
  created_by: renderUserOrNull(token.created_by),
});
