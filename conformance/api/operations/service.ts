import type { Operation } from '../operation.js';
import { anything, integer, object, text } from '../schema.js';
import { AccessToken } from '../schemas/access-token.js';
import { User } from '../schemas/user.js';

export const serviceOperations: readonly Operation[] = [
  {
    id: 'meta.root',
    form: 'public',
    method: 'GET',
    path: '/',
    scope: null,
    success: 200,
    errors: [400, 500],
    reply: object({
      message: text,
      timestamp: integer,
    }),
  },
  {
    id: 'user.get',
    form: 'read',
    method: 'GET',
    path: '/v2/user',
    scope: null,
    success: 200,
    errors: [400, 401, 500, 503],
    reply: User,
  },
  {
    id: 'meta.openapi',
    form: 'public',
    method: 'GET',
    path: '/v2/openapi.json',
    scope: null,
    success: 200,
    errors: [400, 500],
    reply: anything,
  },
  {
    id: 'accessToken.get',
    form: 'read',
    method: 'GET',
    path: '/v2/access-token',
    scope: null,
    success: 200,
    errors: [400, 401, 500, 503],
    reply: AccessToken,
  },
  {
    id: 'accessToken.revoke',
    form: 'command',
    method: 'DELETE',
    path: '/v2/access-token',
    scope: null,
    success: 204,
    errors: [400, 401, 409, 413, 415, 500, 503],
  },
];
