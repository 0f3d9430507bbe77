import type { Operation } from '../operation.js';
import { arrayOf, orNull, requestBody } from '../schema.js';
import { Queue } from '../schemas/queue.js';

export const queuesOperations: readonly Operation[] = [
  {
    id: 'queues.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues',
    scope: 'read_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: arrayOf(Queue),
  },
  {
    id: 'queues.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues/{queue}',
    scope: 'read_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: Queue,
  },
  {
    id: 'queues.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues',
    scope: 'write_clusters',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {
        key: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]*$' },
      },
      {
        description: orNull({ type: 'string', maxLength: 10000 }),
      },
    ),
    reply: Queue,
  },
  {
    id: 'queues.update',
    form: 'command',
    method: 'PUT',
    alsoMethods: ['PATCH'],
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues/{queue}',
    scope: 'write_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {},
      {
        description: orNull({ type: 'string', maxLength: 10000 }),
      },
    ),
    reply: Queue,
  },
  {
    id: 'queues.delete',
    form: 'command',
    method: 'DELETE',
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues/{queue}',
    scope: 'write_clusters',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
  },
  {
    id: 'queues.pauseDispatch',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues/{queue}/pause_dispatch',
    scope: 'write_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {},
      {
        dispatch_paused_note: orNull({ type: 'string', maxLength: 10000 }),
        note: orNull({ type: 'string', maxLength: 10000 }),
      },
    ),
    reply: Queue,
  },
  {
    id: 'queues.resumeDispatch',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/clusters/{cluster}/queues/{queue}/resume_dispatch',
    scope: 'write_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    reply: Queue,
  },
];
