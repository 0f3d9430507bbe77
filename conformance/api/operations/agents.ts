import type { Operation } from '../operation.js';
import { arrayOf, flag, orNull, requestBody, text } from '../schema.js';
import { Agent } from '../schemas/agent.js';

export const agentsOperations: readonly Operation[] = [
  {
    id: 'agents.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/agents',
    scope: 'read_agents',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    query: {
      name: { form: 'single', schema: text },
      hostname: { form: 'single', schema: text },
      version: { form: 'single', schema: text },
    },
    reply: arrayOf(Agent),
  },
  {
    id: 'agents.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/agents/{agent}',
    scope: 'read_agents',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: Agent,
  },
  {
    id: 'agents.stop',
    form: 'command',
    method: 'PUT',
    path: '/v2/organizations/{organization}/agents/{agent}/stop',
    scope: 'write_agents',
    right: 'stop_agents',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {},
      {
        force: orNull(flag),
      },
    ),
  },
];
