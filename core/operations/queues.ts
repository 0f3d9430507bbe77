import { insert, merge, reference, remove, replace, unchanged } from '../commands/batch.js';
import { errors } from '../errors/index.js';
import { connectedStates, dispatchMachine, isUnfinished, jobStates, step, transition } from '../machines/index.js';
import type { Row, Timestamp } from '../model/index.js';
import type { NewEvent } from '../ports/index.js';
import { Queue, renderQueue } from '../representations/queue.js';
import { looseObject, nullable, optional, string } from '../schema/schema.js';
import { command, list, read } from './contract/operation.js';
import { descriptionField, omitUndefined } from './fields.js';

const path = '/v2/organizations/{organization}/clusters/{cluster}/queues';
const itemPath = `${path}/{queue}` as const;

const listQueues = list({
  id: 'queues.list',
  summary: 'List queues',
  method: 'GET',
  path,
  scope: 'read_clusters',
  item: Queue,
  source: 'queue.inCluster',
  where: ({ records }) => ({ cluster: records.cluster.id }),
  render: (rows, { records, links }) => rows.map((queue) => renderQueue(queue, records.organization.slug, links)),
});

const get = read({
  id: 'queues.get',
  summary: 'Get a queue',
  method: 'GET',
  path: itemPath,
  scope: 'read_clusters',
  reply: Queue,
  run: ({ records, links }) => renderQueue(records.queue, records.organization.slug, links),
});

const create = command({
  id: 'queues.create',
  summary: 'Create a queue',
  method: 'POST',
  path,
  scope: 'write_clusters',
  status: 201,
  body: looseObject({
    key: string({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9_-]*$',
      reason: 'may only have letters, digits, - and _',
      description: 'Unique in the cluster; never changes',
    }),
    description: optional(descriptionField()),
  }),
  reply: Queue,
  errors: ['queue.key_taken'],
  command: {
    load: async ({ records }) => records.cluster,
    ids: () => 1,
    duplicates: { 'queue.key': errors.queueKeyTaken },
    decide(cluster, { input, caller, now, ids: [id = ''] }) {
      const queue = {
        id,
        version: 1,
        organization_id: cluster.organization_id,
        cluster_id: cluster.id,
        key: input.key,
        description: input.description ?? null,
        dispatch: 'running' as const,
        dispatch_paused_at: null,
        dispatch_paused_by_id: null,
        dispatch_paused_note: null,
        created_at: now,
        created_by_id: caller?.user.id ?? null,
      };
      // Touches the cluster: deleting it at the same time then conflicts, and loads its queues again.
      return {
        batch: merge({ touch: [reference('cluster', cluster)], insert: [insert('queue', queue)] }),
        reply: queue,
      };
    },
  },
  render: (queue, { records, links, caller }) =>
    renderQueue({ ...queue, created_by: caller.user, dispatch_paused_by: null }, records.organization.slug, links),
});

const update = command({
  id: 'queues.update',
  summary: 'Update a queue',
  description: 'Only the description can be changed.',
  method: 'PUT',
  alsoMethods: ['PATCH'],
  path: itemPath,
  scope: 'write_clusters',
  status: 200,
  body: looseObject({ description: optional(descriptionField()) }),
  reply: Queue,
  command: {
    load: async ({ records }) => records.queue,
    decide: (queue, { input }) => ({
      batch: merge({ replace: [replace('queue', queue, omitUndefined(input))] }),
      reply: { ...queue, ...omitUndefined(input) },
    }),
  },
  render: (queue, { records, links }) => renderQueue(queue, records.organization.slug, links),
});

const unfinished = jobStates.filter(isUnfinished);

/** The reasons that prevent deleting a queue are checked in the order of decisions 12. */
const destroy = command({
  id: 'queues.delete',
  summary: 'Delete a queue',
  description: 'Refused while it is the default queue of its cluster, agents are connected to it, or jobs wait on it.',
  method: 'DELETE',
  path: itemPath,
  scope: 'write_clusters',
  status: 204,
  errors: ['queue.not_deletable.default', 'queue.not_deletable.agents', 'queue.not_deletable.jobs'],
  command: {
    async load({ records, reader }) {
      const agents = { queue: records.queue.id, connection_state: connectedStates };
      const jobs = { queue: records.queue.id, state: unfinished };
      const window = { offset: 0, limit: 1 };
      const [connected, waiting] = await Promise.all([
        reader.find('agent.onQueue', agents, window),
        reader.find('job.inQueue', jobs, window),
      ]);
      return { ...records, agents, jobs, connected: connected.stamps.length > 0, waiting: waiting.stamps.length > 0 };
    },
    decide({ cluster, queue, agents, jobs, connected, waiting }) {
      if (cluster.default_queue_id === queue.id) return errors.queueIsDefault();
      if (connected) return errors.queueHasAgents();
      if (waiting) return errors.queueHasJobs();
      return {
        batch: merge({
          expect: [
            unchanged('cluster', cluster),
            { none: 'agent.onQueue', args: agents },
            { none: 'job.inQueue', args: jobs },
          ],
          remove: [remove('queue', queue)],
        }),
        reply: null,
      };
    },
  },
});

const queueEvent = (type: string, queue: Row<'queue'>, at: Timestamp): NewEvent => ({
  type,
  organization_id: queue.organization_id,
  at,
  data: { queue_id: queue.id, cluster_id: queue.cluster_id, key: queue.key },
});

const pause = command({
  id: 'queues.pauseDispatch',
  summary: 'Pause a queue',
  description: 'A paused queue hands out no job; running jobs go on.',
  method: 'POST',
  path: `${itemPath}/pause_dispatch`,
  scope: 'write_clusters',
  status: 200,
  body: looseObject({
    dispatch_paused_note: optional(nullable(string({ maxLength: 10_000, description: 'Why it is paused' }))),
    note: optional(nullable(string({ maxLength: 10_000, description: 'The same; the other one wins' }))),
  }),
  reply: Queue,
  errors: ['queue.paused'],
  command: {
    load: async ({ records }) => records.queue,
    decide(queue, { input, caller, now }) {
      if (!step(dispatchMachine, queue.dispatch, 'pause')) return errors.queuePaused();
      const changes = {
        dispatch: transition(dispatchMachine, queue.dispatch, 'pause'),
        dispatch_paused_at: now,
        dispatch_paused_by_id: caller?.user.id ?? null,
        dispatch_paused_note: input.dispatch_paused_note ?? input.note ?? null,
      };
      return {
        batch: merge({ replace: [replace('queue', queue, changes)], events: [queueEvent('queue.paused', queue, now)] }),
        reply: { ...queue, ...changes },
      };
    },
  },
  render: (queue, { records, links, caller }) =>
    renderQueue({ ...queue, dispatch_paused_by: caller.user }, records.organization.slug, links),
});

const resume = command({
  id: 'queues.resumeDispatch',
  summary: 'Resume a queue',
  method: 'POST',
  path: `${itemPath}/resume_dispatch`,
  scope: 'write_clusters',
  status: 200,
  reply: Queue,
  errors: ['queue.not_paused'],
  command: {
    load: async ({ records }) => records.queue,
    decide(queue, { now }) {
      if (!step(dispatchMachine, queue.dispatch, 'resume')) return errors.queueNotPaused();
      const changes = {
        dispatch: transition(dispatchMachine, queue.dispatch, 'resume'),
        dispatch_paused_at: null,
        dispatch_paused_by_id: null,
        dispatch_paused_note: null,
      };
      return {
        batch: merge({
          replace: [replace('queue', queue, changes)],
          events: [queueEvent('queue.resumed', queue, now)],
        }),
        reply: { ...queue, ...changes, dispatch_paused_by: null },
      };
    },
  },
  render: (queue, { records, links }) => renderQueue(queue, records.organization.slug, links),
});

/** Queues (spec 4.4). */
export const queues = [listQueues, get, create, update, destroy, pause, resume];
