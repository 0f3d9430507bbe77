import type { Operation } from '../operation.js';
import { arrayOf, flag, oneOf, requestBody, uuid } from '../schema.js';
import { Team } from '../schemas/team.js';

export const teamsOperations: readonly Operation[] = [
  {
    id: 'teams.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/teams',
    scope: 'read_teams',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    query: {
      user_id: { form: 'single', schema: uuid },
    },
    reply: arrayOf(Team),
  },
  {
    id: 'teams.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/teams/{team}',
    scope: 'view_teams',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: Team,
  },
  {
    id: 'teams.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/teams',
    scope: 'write_teams',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody({
      name: { type: 'string', maxLength: 255, pattern: '\\S' },
      description: { type: 'string', maxLength: 10000 },
      privacy: oneOf('visible', 'secret'),
      is_default_team: flag,
      default_member_role: oneOf('member', 'maintainer'),
      members_can_create_pipelines: flag,
    }),
    reply: Team,
  },
  {
    id: 'teams.update',
    form: 'command',
    method: 'PATCH',
    alsoMethods: ['PUT'],
    path: '/v2/organizations/{organization}/teams/{team}',
    scope: 'write_teams',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {},
      {
        name: { type: 'string', maxLength: 255, pattern: '\\S' },
        description: { type: 'string', maxLength: 10000 },
        privacy: oneOf('visible', 'secret'),
        is_default_team: flag,
        default_member_role: oneOf('member', 'maintainer'),
        members_can_create_pipelines: flag,
      },
    ),
    reply: Team,
  },
  {
    id: 'teams.delete',
    form: 'command',
    method: 'DELETE',
    path: '/v2/organizations/{organization}/teams/{team}',
    scope: 'write_teams',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 500, 503],
  },
];
