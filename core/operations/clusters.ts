import { insert, merge, remove, replace } from '../commands/batch.js';
import { selectAll } from '../commands/select-all.js';
import { errors } from '../errors/index.js';
import { connectedStates } from '../machines/index.js';
import { Cluster, renderCluster } from '../representations/cluster.js';
import { looseObject, nullable, optional, string } from '../schema/schema.js';
import { isUuid } from '../schema/uuid.js';
import { command, list, read } from './contract/operation.js';
import { descriptionField, nameField, omitUndefined } from './fields.js';

const fields = {
  description: optional(descriptionField()),
  emoji: optional(
    nullable(
      string({ pattern: '^:[^:\\s]+:$', maxLength: 255, reason: 'must be of the form :name:', examples: [':rocket:'] }),
    ),
  ),
  color: optional(
    nullable(string({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', reason: 'must be a hex color code' })),
  ),
};

const nameTaken = { 'cluster.name': errors.clusterNameTaken };

const listClusters = list({
  id: 'clusters.list',
  summary: 'List clusters',
  method: 'GET',
  path: '/v2/organizations/{organization}/clusters',
  scope: 'read_clusters',
  item: Cluster,
  source: 'cluster.inOrganization',
  where: ({ records }) => ({ organization: records.organization.id }),
  render: (rows, { records, links }) => rows.map((cluster) => renderCluster(cluster, records.organization.slug, links)),
});

const get = read({
  id: 'clusters.get',
  summary: 'Get a cluster',
  method: 'GET',
  path: '/v2/organizations/{organization}/clusters/{cluster}',
  scope: 'read_clusters',
  reply: Cluster,
  run: ({ records, links }) => renderCluster(records.cluster, records.organization.slug, links),
});

/** No queue is made with a cluster (decisions 8). */
const create = command({
  id: 'clusters.create',
  summary: 'Create a cluster',
  method: 'POST',
  path: '/v2/organizations/{organization}/clusters',
  scope: 'write_clusters',
  status: 201,
  body: looseObject({ name: nameField('Unique in the organization'), ...fields }),
  reply: Cluster,
  errors: ['cluster.name_taken'],
  command: {
    load: async ({ records }) => records.organization,
    ids: () => 1,
    duplicates: nameTaken,
    decide(organization, { input, caller, now, ids: [id = ''] }) {
      const cluster = {
        id,
        version: 1,
        organization_id: organization.id,
        name: input.name,
        description: input.description ?? null,
        emoji: input.emoji ?? null,
        color: input.color ?? null,
        default_queue_id: null,
        created_at: now,
        created_by_id: caller?.user.id ?? null,
      };
      return { batch: merge({ insert: [insert('cluster', cluster)] }), reply: cluster };
    },
  },
  render: (cluster, { records, links, caller }) =>
    renderCluster({ ...cluster, created_by: caller.user }, records.organization.slug, links),
});

const update = command({
  id: 'clusters.update',
  summary: 'Update a cluster',
  description: 'What is not sent stays as it is; null clears an optional field.',
  method: 'PUT',
  alsoMethods: ['PATCH'],
  path: '/v2/organizations/{organization}/clusters/{cluster}',
  scope: 'write_clusters',
  status: 200,
  body: looseObject({
    name: optional(nameField('Unique in the organization')),
    ...fields,
    default_queue_id: optional(nullable(string({ description: 'Id of a queue of this cluster' }))),
  }),
  reply: Cluster,
  errors: ['cluster.name_taken', 'cluster.invalid_default_queue'],
  command: {
    async load({ records, input, reader }) {
      const id = input.default_queue_id ?? '';
      const [queue] = isUuid(id) ? await reader.load('queue.inCluster', [id.toLowerCase()]) : [];
      // The queue may have been deleted together with its cluster: then the error is that of a missing cluster.
      if (id !== '' && !queue && (await reader.load('cluster.inOrganization', [records.cluster.id])).length === 0) {
        return errors.clusterNotFound();
      }
      return { cluster: records.cluster, queue };
    },
    duplicates: nameTaken,
    decide({ cluster, queue }, { input }) {
      const { default_queue_id, ...others } = input;
      if (default_queue_id != null && queue?.cluster_id !== cluster.id) {
        return errors.clusterInvalidDefaultQueue();
      }
      const changes = {
        ...omitUndefined(others),
        ...(default_queue_id === undefined ? {} : { default_queue_id: queue?.id ?? null }),
      };
      const expect = queue ? [{ entity: 'queue' as const, id: queue.id, version: queue.version }] : [];
      return {
        batch: merge({ expect, replace: [replace('cluster', cluster, changes)] }),
        reply: { ...cluster, ...changes },
      };
    },
  },
  render: (cluster, { records, links }) => renderCluster(cluster, records.organization.slug, links),
});

/** Deletes the queues and tokens along with it, in one batch (spec 3.4). Pipelines stay, and belong to no cluster then. */
const destroy = command({
  id: 'clusters.delete',
  summary: 'Delete a cluster',
  description: 'Deletes its queues and agent tokens as well. Refused while agents are connected to it.',
  method: 'DELETE',
  path: '/v2/organizations/{organization}/clusters/{cluster}',
  scope: 'write_clusters',
  status: 204,
  errors: ['cluster.not_deletable.agents'],
  command: {
    async load({ records, reader }) {
      const cluster = records.cluster.id;
      const connected = { cluster, connection_state: connectedStates };
      const [agents, queues, tokens, pipelines] = await Promise.all([
        reader.find('agent.inCluster', connected, { offset: 0, limit: 1 }),
        selectAll(reader, 'queue.inCluster', { cluster }),
        selectAll(reader, 'agentToken.inCluster', { cluster }),
        selectAll(reader, 'pipeline.inCluster', { cluster }),
      ]);
      return { cluster: records.cluster, busy: agents.stamps.length > 0, connected, queues, tokens, pipelines };
    },
    decide({ cluster, busy, connected, queues, tokens, pipelines }) {
      if (busy) return errors.clusterHasAgents();
      return {
        batch: merge({
          expect: [{ none: 'agent.inCluster', args: connected }],
          remove: [
            remove('cluster', cluster),
            ...queues.map((queue) => remove('queue', queue)),
            ...tokens.map((token) => remove('agentToken', token)),
          ],
          replace: pipelines.map((pipeline) => replace('pipeline', pipeline, { cluster_id: null })),
        }),
        reply: null,
      };
    },
  },
});

/** Clusters (spec 4.3). */
export const clusters = [listClusters, get, create, update, destroy];
