import type { Operation } from '../operation.js';
import { arrayOf, oneOf, orNull, requestBody, text } from '../schema.js';
import { TeamPipeline } from '../schemas/team.js';

export const teamPipelinesOperations: readonly Operation[] = [
  {
    id: 'teamPipelines.list',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/teams/{team}/pipelines',
    scope: 'view_teams',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: arrayOf(TeamPipeline),
  },
  {
    id: 'teamPipelines.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/teams/{team}/pipelines/{teamPipeline}',
    scope: 'view_teams',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    reply: TeamPipeline,
  },
  {
    id: 'teamPipelines.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/teams/{team}/pipelines',
    scope: 'write_teams',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody({
      pipeline_id: text,
      access_level: oneOf('read_only', 'build_and_read', 'manage_build_and_read'),
    }),
    reply: TeamPipeline,
  },
  {
    id: 'teamPipelines.update',
    form: 'command',
    method: 'PATCH',
    alsoMethods: ['PUT'],
    path: '/v2/organizations/{organization}/teams/{team}/pipelines/{teamPipeline}',
    scope: 'write_teams',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody({
      access_level: oneOf('read_only', 'build_and_read', 'manage_build_and_read'),
    }),
    reply: TeamPipeline,
  },
  {
    id: 'teamPipelines.delete',
    form: 'command',
    method: 'DELETE',
    path: '/v2/organizations/{organization}/teams/{team}/pipelines/{teamPipeline}',
    alsoPaths: ['/v2/organizations/{organization}/teams/{team}/pipelines'],
    scope: 'write_teams',
    success: 204,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    query: {
      pipeline_id: { form: 'single', schema: text },
    },
    body: requestBody(
      {},
      {
        pipeline_id: orNull(text),
      },
    ),
  },
];
