import type { Operation } from '../operation.js';
import { arrayOf, orNull, requestBody, text } from '../schema.js';
import { Cluster } from '../schemas/cluster.js';

export const clustersOperations: readonly Operation[] = [
  {
    id: 'clusters.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/clusters',
    scope: 'read_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: arrayOf(Cluster),
  },
  {
    id: 'clusters.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/clusters/{cluster}',
    scope: 'read_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: Cluster,
  },
  {
    id: 'clusters.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/clusters',
    scope: 'write_clusters',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {
        name: { type: 'string', maxLength: 255, pattern: '\\S' },
      },
      {
        description: orNull({ type: 'string', maxLength: 10000 }),
        emoji: orNull({ type: 'string', pattern: '^:[^:\\s]+:$', maxLength: 255 }),
        color: orNull({ type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' }),
      },
    ),
    reply: Cluster,
  },
  {
    id: 'clusters.update',
    form: 'command',
    method: 'PUT',
    alsoMethods: ['PATCH'],
    path: '/v2/organizations/{organization}/clusters/{cluster}',
    scope: 'write_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {},
      {
        name: { type: 'string', maxLength: 255, pattern: '\\S' },
        description: orNull({ type: 'string', maxLength: 10000 }),
        emoji: orNull({ type: 'string', pattern: '^:[^:\\s]+:$', maxLength: 255 }),
        color: orNull({ type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' }),
        default_queue_id: orNull(text),
      },
    ),
    reply: Cluster,
  },
  {
    id: 'clusters.delete',
    form: 'command',
    method: 'DELETE',
    path: '/v2/organizations/{organization}/clusters/{cluster}',
    scope: 'write_clusters',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  },
];
