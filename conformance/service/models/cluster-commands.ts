import {
  alreadyTaken,
  type ModelCommand,
  onCluster,
  type PlanCommand,
  pick,
  type RandomValues,
  slug,
  without,
} from './model-command.js';
import type { Cluster, Queue } from './organization-model.js';

const onQueue = (
  plan: (queue: Queue, path: string, cluster: Cluster, values: RandomValues) => ModelCommand,
): PlanCommand =>
  onCluster((cluster, _, values) => {
    const queue = pick(cluster.queues, values.second);
    return queue && plan(queue, `/clusters/${cluster.id}/queues/${queue.id}`, cluster, values);
  });

const clusters: Readonly<Record<string, PlanCommand>> = {
  createCluster: (organization, { name, text }) => ({
    method: 'POST',
    path: '/clusters',
    body: { name, description: text },
    expectedError: organization.clusters.some((one) => one.name === name) ? alreadyTaken('Name') : undefined,
    apply({ id }) {
      const blank = { color: null, default_queue_id: null, queues: [], tokens: [] };
      organization.clusters.push({ id, name, description: text, ...blank });
    },
  }),
  updateCluster: onCluster((cluster, organization, { name, text, flag }) => {
    const changes = flag ? { name } : { color: text === null ? null : '#aabbcc', description: text };
    const clashes = flag && organization.clusters.some((one) => one !== cluster && one.name === name);
    return {
      method: flag ? 'PUT' : 'PATCH',
      path: `/clusters/${cluster.id}`,
      body: changes,
      expectedError: clashes ? alreadyTaken('Name') : undefined,
      apply: () => void Object.assign(cluster, changes),
    };
  }),
  chooseDefaultQueue: onCluster((cluster, organization, { second, flag }) => {
    const all = organization.clusters.flatMap((one) => one.queues);
    const id = flag ? (pick(all, second)?.id ?? null) : null;
    const isOwn = id === null || cluster.queues.some((one) => one.id === id);
    return {
      method: 'PUT',
      path: `/clusters/${cluster.id}`,
      body: { default_queue_id: id },
      expectedError: isOwn ? undefined : [422, 'Validation failed: Default queue must be a queue of this cluster'],
      apply: () => void Object.assign(cluster, { default_queue_id: id }),
    };
  }),
  deleteCluster: onCluster((cluster, organization) => ({
    method: 'DELETE',
    path: `/clusters/${cluster.id}`,
    apply: () => void Object.assign(organization, { clusters: without(organization.clusters, cluster) }),
  })),
};

const queues: Readonly<Record<string, PlanCommand>> = {
  createQueue: onCluster((cluster, _, { name, text }) => {
    const key = slug(name);
    return {
      method: 'POST',
      path: `/clusters/${cluster.id}/queues`,
      body: text === null ? { key } : { key, description: text },
      expectedError: cluster.queues.some((one) => one.key === key) ? alreadyTaken('Key') : undefined,
      apply({ id }) {
        cluster.queues.push({ id, key, description: text, dispatch_paused: false, dispatch_paused_note: null });
      },
    };
  }),
  updateQueue: onQueue((queue, path, _, { text }) => ({
    method: 'PATCH',
    path,
    body: { description: text },
    apply: () => void Object.assign(queue, { description: text }),
  })),
  pause: onQueue((queue, path, _, { text }) => ({
    method: 'POST',
    path: `${path}/pause_dispatch`,
    body: { note: text },
    expectedError: queue.dispatch_paused ? [422, 'Cluster queue is already paused'] : undefined,
    apply: () => void Object.assign(queue, { dispatch_paused: true, dispatch_paused_note: text }),
  })),
  resume: onQueue((queue, path) => ({
    method: 'POST',
    path: `${path}/resume_dispatch`,
    expectedError: queue.dispatch_paused ? undefined : [422, 'Cluster queue is not paused'],
    apply: () => void Object.assign(queue, { dispatch_paused: false, dispatch_paused_note: null }),
  })),
  deleteQueue: onQueue((queue, path, cluster) => ({
    method: 'DELETE',
    path,
    expectedError:
      cluster.default_queue_id === queue.id
        ? [422, "Cluster queue can't be deleted because it is the cluster's default queue"]
        : undefined,
    apply: () => void Object.assign(cluster, { queues: without(cluster.queues, queue) }),
  })),
};

const tokens: Readonly<Record<string, PlanCommand>> = {
  createToken: onCluster((cluster, _, { name, flag }) => {
    const chosen = { description: name, allowed_ip_addresses: flag ? '10.0.0.0/8' : null };
    return {
      method: 'POST',
      path: `/clusters/${cluster.id}/tokens`,
      body: chosen,
      apply: ({ id }) => void cluster.tokens.push({ id, ...chosen }),
    };
  }),
  changeToken: onCluster((cluster, _, { second, name, flag }) => {
    const token = pick(cluster.tokens, second);
    if (!token) return undefined;
    const path = `/clusters/${cluster.id}/tokens/${token.id}`;
    const revoke = () => Object.assign(cluster, { tokens: without(cluster.tokens, token) });
    return flag
      ? {
          method: 'PUT',
          path,
          body: { description: name },
          apply: () => void Object.assign(token, { description: name }),
        }
      : { method: 'DELETE', path, apply: () => void revoke() };
  }),
};

/** The commands on clusters, queues and agent tokens, in an organization without agents. */
export const clusterCommands: Readonly<Record<string, PlanCommand>> = { ...clusters, ...queues, ...tokens };
