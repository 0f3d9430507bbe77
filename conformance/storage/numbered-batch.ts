import type { Batch, Storage } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import type { AnyRow } from '../arbitraries/rows.js';
import { batchOf, entityRow, row } from './batch.js';

/**
 * A batch that depends only on its number and the seed, so that the test process can check whether a batch of the killed process is
 * complete.
 */
export interface NumberedBatch {
  readonly batch: Batch;
  readonly cluster: AnyRow;
  readonly queues: readonly AnyRow[];
}

export const organization = idOf(77);
/** A record that every numbered batch touches. */
export const baseCluster = (): AnyRow => row('cluster', 1, { organization_id: organization, name: 'base' });
/** The sequence from which the writer takes a number before every batch. */
export const sequenceName = 'restart';

const queuesPerBatch = 3;

export function numberedBatch(number: number): NumberedBatch {
  const id = 1_000 + number * 10;
  const cluster = row('cluster', id, { organization_id: organization, name: `number-${number}` });
  const queues = Array.from({ length: queuesPerBatch }, (_, index) =>
    row('queue', id + 1 + index, { cluster_id: cluster.id, key: `queue-${index}` }),
  );
  const batch = batchOf({
    insert: [entityRow('cluster', cluster), ...queues.map((queue) => entityRow('queue', queue))],
    touch: [{ entity: 'cluster', id: baseCluster().id }],
    events: [{ type: 'made', organization_id: organization, at: '2026-01-31T09:30:00.000Z', data: { number } }],
  });
  return { batch, cluster, queues };
}

/** The stored records of numbered batches. */
export async function readNumberedBatches(storage: Storage) {
  const all = { offset: 0, limit: 100_000 };
  const { stamps } = await storage.find('cluster.inOrganization', { organization }, all);
  const clusters = (await storage.load(
    'cluster.inOrganization',
    stamps.map(({ id }) => id),
  )) as unknown as AnyRow[];
  const queues = new Map<string, AnyRow[]>();
  for (const { id } of clusters)
    queues.set(id, (await storage.select('queue.inCluster', { cluster: id }, 100)) as unknown as AnyRow[]);
  const events = await storage.events(0, 100_000);
  return { clusters: new Map(clusters.map((one) => [one.id, one])), queues, events };
}
