import type { QueryRow } from '../model/index.js';
import { type Infer, nullable, strictObject, string, timestamp, url, uuid } from '../schema/schema.js';
import { graphqlId, type Links } from './links.js';
import { renderUserOrNull, User, type WithUsers } from './user.js';

/** A cluster (spec 2.6). */
export const Cluster = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    default_queue_id: nullable(uuid()),
    name: string(),
    description: nullable(string()),
    emoji: nullable(string()),
    color: nullable(string()),
    url: url(),
    web_url: url(),
    queues_url: url(),
    default_queue_url: nullable(url()),
    created_at: timestamp(),
    created_by: nullable(User),
  },
  { title: 'Cluster', description: 'An isolated set of agents and pipelines' },
);
export type Cluster = Infer<typeof Cluster>;

export function renderCluster(
  cluster: WithUsers<QueryRow<'cluster.inOrganization'>, 'created_by'>,
  organization: string,
  links: Links,
): Cluster {
  const address = links.cluster(organization, cluster.id);
  const { default_queue_id } = cluster;
  return {
    id: cluster.id,
    graphql_id: graphqlId('Cluster', cluster.id),
    default_queue_id,
    name: cluster.name,
    description: cluster.description,
    emoji: cluster.emoji,
    color: cluster.color,
    ...address,
    queues_url: `${address.url}/queues`,
    default_queue_url: default_queue_id && links.queue(organization, cluster.id, default_queue_id).url,
    created_at: cluster.created_at,
    created_by: renderUserOrNull(cluster.created_by),
  };
}
