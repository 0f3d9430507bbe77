import type { QueryArgs, QueryRow, Row } from '../model/index.js';
import type { Reader } from '../ports/storage.js';

/** The number of waiting jobs that one read returns. */
const windowSize = 32;

export interface JobMatch {
  readonly queue?: Row<'queue'>;
  readonly job?: Row<'job'>;
}

/**
 * Finds the job for an agent: the job in its queue that has waited longest and whose rules the agent matches. None while
 * dispatch is paused (spec 3.3).
 *
 * `scatter` (0 to 1) selects a later job of the queue instead, so that agents that met a conflict try different jobs. The cost
 * does not depend on the number of waiting jobs, as long as the agent matches one of the first.
 */
export async function findJobForAgent(
  agent: QueryRow<'agent.inOrganization'>,
  reader: Reader,
  position: number,
): Promise<JobMatch> {
  const queue = await loadQueue(agent, reader);
  if (!queue || queue.dispatch === 'paused') return {};
  const scope = { queue: queue.id, state: ['scheduled'] } as const;
  for (let offset = 0; ; offset += windowSize) {
    const { jobs, more } = await loadWindow(scope, offset, reader);
    const matching = jobs.filter((job) => matchesRules(agent, job));
    const job = matching[Math.floor(position * matching.length)];
    if (job) return { queue, job };
    if (!more) return { queue };
  }
}

/** Some jobs of the queue, in their order. The first ones take one call, because most agents match one of them. */
async function loadWindow(scope: QueryArgs<'job.inQueue'>, offset: number, reader: Reader) {
  if (offset === 0) {
    const jobs = await reader.select('job.inQueue', scope, windowSize);
    return { jobs, more: jobs.length === windowSize };
  }
  const { stamps, more } = await reader.find('job.inQueue', scope, { offset, limit: windowSize });
  const ids = stamps.map((stamp) => stamp.id);
  const rows = ids.length > 0 ? await reader.load('job.inQueue', ids) : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { jobs: ids.flatMap((id) => byId.get(id) ?? []), more };
}

/** The queue that the agent named, otherwise the default queue of its cluster (spec 2.6). */
async function loadQueue(agent: Row<'agent'>, reader: Reader): Promise<Row<'queue'> | undefined> {
  const [cluster] = agent.queue_id === null ? await reader.load('cluster.inOrganization', [agent.cluster_id]) : [];
  const id = agent.queue_id ?? cluster?.default_queue_id;
  const [queue] = id ? await reader.load('queue.inCluster', [id]) : [];
  return queue;
}

/** Whether the agent's meta-data contains every rule of the job, except that of the queue, which was checked before. */
const matchesRules = (agent: Row<'agent'>, job: Row<'job'>): boolean =>
  job.state === 'scheduled' &&
  job.agent_query_rules.every((rule) => rule.startsWith('queue=') || agent.meta_data.includes(rule));
