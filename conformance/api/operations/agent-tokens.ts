import type { Operation } from '../operation.js';
import { arrayOf, requestBody, text } from '../schema.js';
import { AgentToken, NewAgentToken } from '../schemas/agent-token.js';

export const agentTokensOperations: readonly Operation[] = [
  {
    id: 'agentTokens.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/clusters/{cluster}/tokens',
    scope: 'read_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: arrayOf(AgentToken),
  },
  {
    id: 'agentTokens.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/clusters/{cluster}/tokens/{agentToken}',
    scope: 'read_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: AgentToken,
  },
  {
    id: 'agentTokens.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/clusters/{cluster}/tokens',
    scope: 'write_clusters',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {
        description: { type: 'string', maxLength: 10000, pattern: '\\S' },
      },
      {
        allowed_ip_addresses: {
          anyOf: [{ type: 'string', maxLength: 10000 }, arrayOf(text, { maxItems: 1000 }), { type: 'null' }],
        },
      },
    ),
    reply: NewAgentToken,
  },
  {
    id: 'agentTokens.update',
    form: 'command',
    method: 'PUT',
    alsoMethods: ['PATCH'],
    path: '/v2/organizations/{organization}/clusters/{cluster}/tokens/{agentToken}',
    scope: 'write_clusters',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {},
      {
        description: { type: 'string', maxLength: 10000, pattern: '\\S' },
        allowed_ip_addresses: {
          anyOf: [{ type: 'string', maxLength: 10000 }, arrayOf(text, { maxItems: 1000 }), { type: 'null' }],
        },
      },
    ),
    reply: AgentToken,
  },
  {
    id: 'agentTokens.revoke',
    form: 'command',
    method: 'DELETE',
    path: '/v2/organizations/{organization}/clusters/{cluster}/tokens/{agentToken}',
    scope: 'write_clusters',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 500, 503],
  },
];
