import type { QueryRow } from '../model/index.js';
import { boolean, type Infer, nullable, strictObject, string, timestamp, url, uuid } from '../schema/schema.js';
import { graphqlId, type Links } from './links.js';
import { renderUserOrNull, User, type WithUsers } from './user.js';

/** A queue of a cluster (spec 2.7). */
export const Queue = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    key: string(),
    description: nullable(string()),
    url: url(),
    web_url: url(),
    cluster_url: url(),
    dispatch_paused: boolean(),
    dispatch_paused_by: nullable(User),
    dispatch_paused_at: nullable(timestamp()),
    dispatch_paused_note: nullable(string()),
    created_at: timestamp(),
    created_by: nullable(User),
  },
  { title: 'Queue', description: 'A queue of a cluster' },
);
export type Queue = Infer<typeof Queue>;

export const renderQueue = (
  queue: WithUsers<QueryRow<'queue.inCluster'>, 'created_by' | 'dispatch_paused_by'>,
  organization: string,
  links: Links,
): Queue => ({
  id: queue.id,
  graphql_id: graphqlId('ClusterQueue', queue.id),
  key: queue.key,
  description: queue.description,
  ...links.queue(organization, queue.cluster_id, queue.id),
  cluster_url: links.cluster(organization, queue.cluster_id).url,
  dispatch_paused: queue.dispatch === 'paused',
  dispatch_paused_by: renderUserOrNull(queue.dispatch_paused_by),
  dispatch_paused_at: queue.dispatch_paused_at,
  dispatch_paused_note: queue.dispatch_paused_note,
  created_at: queue.created_at,
  created_by: renderUserOrNull(queue.created_by),
});
