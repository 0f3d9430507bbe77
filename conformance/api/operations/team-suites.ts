import type { Operation } from '../operation.js';
import { arrayOf, oneOf, requestBody, text } from '../schema.js';
import { TeamSuite } from '../schemas/team.js';

export const teamSuitesOperations: readonly Operation[] = [
  {
    id: 'teamSuites.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/teams/{team}/suites',
    scope: 'view_teams',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    unpaged: true,
    reply: arrayOf(TeamSuite),
  },
  {
    id: 'teamSuites.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/teams/{team}/suites/{teamSuite}',
    scope: 'view_teams',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: TeamSuite,
  },
  {
    id: 'teamSuites.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/teams/{team}/suite',
    alsoPaths: ['/v2/organizations/{organization}/teams/{team}/suites'],
    scope: 'write_teams',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody({
      suite_id: text,
      access_level: { anyOf: [arrayOf(oneOf('read', 'edit'), { maxItems: 100 }), oneOf('read', 'edit')] },
    }),
    reply: TeamSuite,
  },
  {
    id: 'teamSuites.update',
    form: 'command',
    method: 'PATCH',
    alsoMethods: ['PUT'],
    path: '/v2/organizations/{organization}/teams/{team}/suites/{teamSuite}',
    scope: 'write_teams',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody({
      access_level: { anyOf: [arrayOf(oneOf('read', 'edit'), { maxItems: 100 }), oneOf('read', 'edit')] },
    }),
    reply: TeamSuite,
  },
  {
    id: 'teamSuites.delete',
    form: 'command',
    method: 'DELETE',
    path: '/v2/organizations/{organization}/teams/{team}/suites/{teamSuite}',
    scope: 'write_teams',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 500, 503],
  },
];
