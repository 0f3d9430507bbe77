import { parseCidr } from '../auth/ip-allow-list.js';
import type { Row } from '../model/index.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';
import type { makeTokenTexts } from './token-texts.js';

export function planCluster(record: FixtureRecord<'clusters'>, path: string, draft: PlanDraft): Row<'cluster'> {
  const row = draft.newRow<'cluster'>({
    id: draft.idFor('cluster', record.id, path),
    organization_id: draft.referenceIndex.organization(record.organization, `${path}.organization`)?.id ?? '',
    name: record.name,
    description: record.description ?? null,
    emoji: record.emoji ?? null,
    color: record.color ?? null,
    default_queue_id: null,
    created_at: record.created_at ?? draft.now,
    created_by_id: draft.referenceIndex.userId(record.created_by, `${path}.created_by`),
  });
  if (row.organization_id !== '') draft.referenceIndex.addCluster(row, path);
  return row;
}

/** The cluster that a record names. If there is none, it adds a problem and returns undefined. */
export function clusterOf(
  record: { readonly organization: string; readonly cluster: string },
  path: string,
  draft: PlanDraft,
): Row<'cluster'> | undefined {
  const organization = draft.referenceIndex.organization(record.organization, `${path}.organization`);
  return organization && draft.referenceIndex.cluster(organization, record.cluster, `${path}.cluster`);
}

export function planQueue(record: FixtureRecord<'queues'>, path: string, draft: PlanDraft): Row<'queue'> {
  const { referenceIndex } = draft;
  const cluster = clusterOf(record, path, draft);
  const paused = record.dispatch_paused ?? false;
  const created_at = record.created_at ?? draft.now;
  const row = draft.newRow<'queue'>({
    id: draft.idFor('queue', record.id, path),
    organization_id: cluster?.organization_id ?? '',
    cluster_id: cluster?.id ?? '',
    key: record.key,
    description: record.description ?? null,
    dispatch: paused ? 'paused' : 'running',
    dispatch_paused_at: paused ? (record.dispatch_paused_at ?? created_at) : null,
    dispatch_paused_by_id: referenceIndex.userId(record.dispatch_paused_by, `${path}.dispatch_paused_by`),
    dispatch_paused_note: record.dispatch_paused_note ?? null,
    created_at,
    created_by_id: referenceIndex.userId(record.created_by, `${path}.created_by`),
  });
  for (const field of ['dispatch_paused_at', 'dispatch_paused_by', 'dispatch_paused_note'] as const) {
    if (!paused && record[field] != null) draft.problems.add(`${path}.${field} needs dispatch_paused: true`);
  }
  if (cluster) referenceIndex.addQueue(row, path);
  draft.insert('queue', row);
  return row;
}

/** The queue that becomes the default queue of its cluster, with its path in the document. */
export interface DefaultQueue {
  readonly cluster: Row<'cluster'>;
  readonly queueId: string;
  readonly path: string;
}

/** The default queues that a document names in records of clusters or queues, by the ids of their clusters. */
export function collectDefaultQueues(
  clusters: readonly { record: FixtureRecord<'clusters'>; row: Row<'cluster'>; path: string }[],
  queues: readonly { record: FixtureRecord<'queues'>; row: Row<'queue'>; path: string }[],
  draft: PlanDraft,
): ReadonlyMap<string, DefaultQueue> {
  const named = clusters.flatMap(({ record, row, path }): DefaultQueue[] => {
    if (record.default_queue == null) return [];
    const queue = draft.referenceIndex.queue(row.id, record.default_queue, `${path}.default_queue`);
    return queue ? [{ cluster: row, queueId: queue.id, path: `${path}.default_queue` }] : [];
  });
  const marked = queues.flatMap(({ record, row, path }): DefaultQueue[] => {
    const cluster = record.default && row.cluster_id !== '' ? clusterOf(record, path, draft) : undefined;
    return cluster ? [{ cluster, queueId: row.id, path: `${path}.default` }] : [];
  });
  const found = new Map<string, DefaultQueue>();
  for (const candidate of [...named, ...marked]) {
    const other = found.get(candidate.cluster.id);
    if (other && other.queueId !== candidate.queueId) {
      draft.problems.add(`${candidate.path}: the cluster has another default queue, by ${other.path}`);
    }
    found.set(candidate.cluster.id, candidate);
    draft.referenceIndex.queueIdsByKey(candidate.cluster.id).set('', candidate.queueId);
  }
  return found;
}

/** Plans agent tokens. `text` determines the text of a token. */
export function planAgentToken(
  record: FixtureRecord<'agent_tokens'>,
  path: string,
  draft: PlanDraft,
  tokenText: ReturnType<typeof makeTokenTexts>,
) {
  const { token, digest } = tokenText(record.token, path);
  const id = draft.idFor('agentToken', record.id, path);
  const cluster = clusterOf(record, path, draft);
  const allowed = record.allowed_ip_addresses ?? null;
  for (const block of (allowed ?? '').split(/\s+/)) {
    if (block !== '' && !parseCidr(block)) {
      draft.problems.add(`${path}.allowed_ip_addresses has ${block}, which is no IPv4 address or CIDR block`);
    }
  }
  draft.insert('agentToken', {
    id,
    organization_id: cluster?.organization_id ?? '',
    cluster_id: cluster?.id ?? '',
    description: record.description,
    allowed_ip_addresses: allowed,
    digest,
    created_at: record.created_at ?? draft.now,
    created_by_id: draft.referenceIndex.userId(record.created_by, `${path}.created_by`),
  });
  return { id, cluster: record.cluster, cluster_id: cluster?.id ?? '', token };
}
