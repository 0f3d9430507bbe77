import type { AgentState } from '../machines/agent.js';
import type { DispatchState } from '../machines/queue.js';
import { id, integer, json, nullable, text, time } from './column.js';
import { entity } from './entity.js';

export const cluster = entity(
  {
    organization_id: id(),
    name: text(),
    description: nullable(text()),
    emoji: nullable(text()),
    color: nullable(text()),
    default_queue_id: nullable(id()),
    created_at: time(),
    created_by_id: nullable(id()),
  },
  { name: ['organization_id', 'name'] },
);

export const queue = entity(
  {
    organization_id: id(),
    cluster_id: id(),
    key: text(),
    description: nullable(text()),
    dispatch: text<DispatchState>(),
    dispatch_paused_at: nullable(time()),
    dispatch_paused_by_id: nullable(id()),
    dispatch_paused_note: nullable(text()),
    created_at: time(),
    created_by_id: nullable(id()),
  },
  { key: ['cluster_id', 'key'] },
);

/** Authenticates agents of a cluster. Only the SHA-256 digest of the token is stored (spec 5.7). */
export const agentToken = entity(
  {
    organization_id: id(),
    cluster_id: id(),
    description: text(),
    allowed_ip_addresses: nullable(text()),
    digest: text(),
    created_at: time(),
    created_by_id: nullable(id()),
  },
  { digest: ['digest'] },
);

export const agent = entity({
  organization_id: id(),
  cluster_id: id(),
  /** The queue that the agent named when it connected. Null: the current default queue of the cluster (spec 2.6). */
  queue_id: nullable(id()),
  agent_token_id: id(),
  name: text(),
  hostname: text(),
  ip_address: text(),
  user_agent: text(),
  agent_version: text(),
  connection_state: text<AgentState>(),
  creator_id: nullable(id()),
  priority: nullable(integer()),
  meta_data: json<readonly string[]>(),
  job_id: nullable(id()),
  last_job_finished_at: nullable(time()),
  last_seen_at: time(),
  created_at: time(),
});
