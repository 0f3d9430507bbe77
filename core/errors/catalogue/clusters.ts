import type { ErrorEntry } from './entry.js';

/** Clusters and queues that cannot be made, changed or deleted (decisions 8). */
export const clusterErrors = {
  clusterNameTaken: {
    code: 'cluster.name_taken',
    status: 422,
    message: 'Validation failed: Name has already been taken',
    when: 'Another cluster of the organization has this name.',
    whatToDo: 'Choose another name.',
  },
  clusterInvalidDefaultQueue: {
    code: 'cluster.invalid_default_queue',
    status: 422,
    message: 'Validation failed: Default queue must be a queue of this cluster',
    when: '`default_queue_id` is not the id of a queue of the cluster.',
    whatToDo: 'Send the id of a queue of the cluster, or null.',
  },
  clusterHasAgents: {
    code: 'cluster.not_deletable.agents',
    status: 422,
    message: "Cluster can't be deleted while agents are connected to it",
    when: 'Agents are connected to the cluster to be deleted.',
    whatToDo: 'Stop the agents first.',
  },
  queueKeyTaken: {
    code: 'queue.key_taken',
    status: 422,
    message: 'Validation failed: Key has already been taken',
    when: 'Another queue of the cluster has this key.',
    whatToDo: 'Choose another key.',
  },
  queueIsDefault: {
    code: 'queue.not_deletable.default',
    status: 422,
    message: "Cluster queue can't be deleted because it is the cluster's default queue",
    when: 'The queue to be deleted is the default queue of its cluster.',
    whatToDo: 'Give the cluster another default queue first, or none.',
  },
  queueHasAgents: {
    code: 'queue.not_deletable.agents',
    status: 422,
    message: "Cluster queue can't be deleted while agents are connected to it",
    when: 'Agents are connected to the queue to be deleted.',
    whatToDo: 'Stop the agents first.',
  },
  queueHasJobs: {
    code: 'queue.not_deletable.jobs',
    status: 422,
    message: "Cluster queue can't be deleted while jobs are waiting on it",
    when: 'Jobs of the queue to be deleted are unfinished.',
    whatToDo: 'Let the jobs end, or cancel their builds.',
  },
  queuePaused: {
    code: 'queue.paused',
    status: 422,
    message: 'Cluster queue is already paused',
    when: 'The queue to be paused is paused.',
    whatToDo: 'Nothing: the queue hands out no jobs.',
  },
  queueNotPaused: {
    code: 'queue.not_paused',
    status: 422,
    message: 'Cluster queue is not paused',
    when: 'The queue to be resumed is not paused.',
    whatToDo: 'Nothing: the queue hands out jobs.',
  },
} as const satisfies Record<string, ErrorEntry>;
