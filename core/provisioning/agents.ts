import { queueKeyOf } from '../commands/jobs-of-steps.js';
import type { Row } from '../model/index.js';
import { clusterOf } from './clusters.js';
import type { AgentRow } from './existing-records.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';

/** The first agent token of each cluster in a document, by the id of the cluster. */
export type FirstTokenIds = ReadonlyMap<string, string>;

const defaultVersion = '1.0.0';

/**
 * Plans an agent. Its agent token is one of its cluster, or one that has been revoked since: agents stay connected when their
 * token is revoked (decisions 8).
 */
export function planAgent(
  record: FixtureRecord<'agents'>,
  path: string,
  draft: PlanDraft,
  tokens: FirstTokenIds,
): AgentRow {
  const { referenceIndex } = draft;
  const cluster = clusterOf(record, path, draft);
  const key = queueKeyOf(record.meta_data ?? []);
  const queue = cluster && key !== '' ? referenceIndex.queue(cluster.id, key, `${path}.meta_data`) : undefined;
  const creator = record.creator == null ? null : (referenceIndex.user(record.creator, `${path}.creator`) ?? null);
  const row: Row<'agent'> = draft.newRow<'agent'>({
    id: draft.idFor('agent', record.id, path),
    organization_id: cluster?.organization_id ?? '',
    cluster_id: cluster?.id ?? '',
    queue_id: queue?.id ?? null,
    agent_token_id: (cluster && tokens.get(cluster.id)) ?? draft.idSource.id(),
    name: record.name,
    hostname: record.hostname ?? record.name,
    ip_address: record.ip_address ?? '127.0.0.1',
    user_agent: record.user_agent ?? `millrace-agent/${record.version ?? defaultVersion}`,
    agent_version: record.version ?? defaultVersion,
    connection_state: record.connection_state ?? 'connected',
    creator_id: creator?.id ?? null,
    priority: record.priority ?? null,
    meta_data: record.meta_data ?? [],
    job_id: null,
    last_job_finished_at: record.last_job_finished_at ?? null,
    last_seen_at: draft.now,
    created_at: record.created_at ?? draft.now,
  });
  const agent = { ...row, creator };
  if (cluster) referenceIndex.addAgent(agent);
  return agent;
}
