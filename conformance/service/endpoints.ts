import type { Operation, Scope } from '../api/index.js';

/** An endpoint of the specification: its operation id here, method, path, scope, success status, and whether it is paged. */
type Endpoint = readonly [
  id: string,
  method: string,
  path: string,
  scope: Scope | null,
  success: 200 | 201 | 204,
  pages: boolean,
];

/** The endpoints of the specification (spec 4), with its placeholders. */
export const endpoints: readonly Endpoint[] = [
  ['meta.root', 'GET', '/', null, 200, false],
  ['user.get', 'GET', '/v2/user', null, 200, false],
  ['agents.list', 'GET', '/v2/organizations/{org.slug}/agents', 'read_agents', 200, true],
  ['agents.get', 'GET', '/v2/organizations/{org.slug}/agents/{id}', 'read_agents', 200, false],
  ['agents.stop', 'PUT', '/v2/organizations/{org.slug}/agents/{id}/stop', 'write_agents', 204, false],
  ['builds.listAll', 'GET', '/v2/builds', 'read_builds', 200, true],
  ['builds.listByOrganization', 'GET', '/v2/organizations/{org.slug}/builds', 'read_builds', 200, true],
  [
    'builds.listByPipeline',
    'GET',
    '/v2/organizations/{org.slug}/pipelines/{pipeline.slug}/builds',
    'read_builds',
    200,
    true,
  ],
  [
    'builds.get',
    'GET',
    '/v2/organizations/{org.slug}/pipelines/{pipeline.slug}/builds/{number}',
    'read_builds',
    200,
    false,
  ],
  [
    'builds.create',
    'POST',
    '/v2/organizations/{org.slug}/pipelines/{pipeline.slug}/builds',
    'write_builds',
    201,
    false,
  ],
  [
    'builds.cancel',
    'PUT',
    '/v2/organizations/{org.slug}/pipelines/{pipeline.slug}/builds/{number}/cancel',
    'write_builds',
    200,
    false,
  ],
  [
    'builds.rebuild',
    'PUT',
    '/v2/organizations/{org.slug}/pipelines/{pipeline.slug}/builds/{number}/rebuild',
    'write_builds',
    200,
    false,
  ],
  ['clusters.list', 'GET', '/v2/organizations/{org.slug}/clusters', 'read_clusters', 200, true],
  ['clusters.get', 'GET', '/v2/organizations/{org.slug}/clusters/{id}', 'read_clusters', 200, false],
  ['clusters.create', 'POST', '/v2/organizations/{org.slug}/clusters', 'write_clusters', 201, false],
  ['clusters.update', 'PUT', '/v2/organizations/{org.slug}/clusters/{id}', 'write_clusters', 200, false],
  ['clusters.delete', 'DELETE', '/v2/organizations/{org.slug}/clusters/{id}', 'write_clusters', 204, false],
  ['queues.list', 'GET', '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues', 'read_clusters', 200, true],
  ['queues.get', 'GET', '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues/{id}', 'read_clusters', 200, false],
  ['queues.create', 'POST', '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues', 'write_clusters', 201, false],
  [
    'queues.update',
    'PUT',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues/{id}',
    'write_clusters',
    200,
    false,
  ],
  [
    'queues.delete',
    'DELETE',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues/{id}',
    'write_clusters',
    204,
    false,
  ],
  [
    'queues.pauseDispatch',
    'POST',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues/{id}/pause_dispatch',
    'write_clusters',
    200,
    false,
  ],
  [
    'queues.resumeDispatch',
    'POST',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/queues/{id}/resume_dispatch',
    'write_clusters',
    200,
    false,
  ],
  ['agentTokens.list', 'GET', '/v2/organizations/{org.slug}/clusters/{cluster.id}/tokens', 'read_clusters', 200, true],
  [
    'agentTokens.get',
    'GET',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/tokens/{id}',
    'read_clusters',
    200,
    false,
  ],
  [
    'agentTokens.create',
    'POST',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/tokens',
    'write_clusters',
    201,
    false,
  ],
  [
    'agentTokens.update',
    'PUT',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/tokens/{id}',
    'write_clusters',
    200,
    false,
  ],
  [
    'agentTokens.revoke',
    'DELETE',
    '/v2/organizations/{org.slug}/clusters/{cluster.id}/tokens/{id}',
    'write_clusters',
    204,
    false,
  ],
  ['teams.list', 'GET', '/v2/organizations/{org.slug}/teams', 'read_teams', 200, true],
  ['teams.get', 'GET', '/v2/organizations/{org.slug}/teams/{team.uuid}', 'view_teams', 200, false],
  ['teams.create', 'POST', '/v2/organizations/{org.slug}/teams', 'write_teams', 201, false],
  ['teams.update', 'PATCH', '/v2/organizations/{org.slug}/teams/{team.uuid}', 'write_teams', 200, false],
  ['teams.delete', 'DELETE', '/v2/organizations/{org.slug}/teams/{team.uuid}', 'write_teams', 204, false],
  ['teamSuites.list', 'GET', '/v2/organizations/{org.slug}/teams/{team.uuid}/suites', 'view_teams', 200, false],
  [
    'teamSuites.get',
    'GET',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/suites/{suite.uuid}',
    'view_teams',
    200,
    false,
  ],
  ['teamSuites.create', 'POST', '/v2/organizations/{org.slug}/teams/{team.uuid}/suite/', 'write_teams', 201, false],
  [
    'teamSuites.update',
    'PATCH',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/suites/{suite.uuid}',
    'write_teams',
    200,
    false,
  ],
  [
    'teamSuites.delete',
    'DELETE',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/suites/{suite.uuid}/',
    'write_teams',
    204,
    false,
  ],
  ['teamPipelines.list', 'GET', '/v2/organizations/{org.slug}/teams/{team.uuid}/pipelines', 'view_teams', 200, true],
  [
    'teamPipelines.get',
    'GET',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/pipelines/{pipeline.uuid}',
    'view_teams',
    200,
    false,
  ],
  [
    'teamPipelines.create',
    'POST',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/pipelines/',
    'write_teams',
    201,
    false,
  ],
  [
    'teamPipelines.update',
    'PATCH',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/pipelines/{pipeline.uuid}',
    'write_teams',
    200,
    false,
  ],
  [
    'teamPipelines.delete',
    'DELETE',
    '/v2/organizations/{org.slug}/teams/{team.uuid}/pipelines/{pipeline.uuid}',
    'write_teams',
    204,
    false,
  ],
  [
    'flakyTests.list',
    'GET',
    '/v2/analytics/organizations/{org.slug}/suites/{suite.slug}/flaky-tests',
    'read_suites',
    200,
    true,
  ],
];

/** A path without placeholder names and trailing slash, so that different spellings are equal. */
const normalizePath = (path: string): string => path.replace(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1');

/** The differences between the operations and the endpoints of the specification. Empty if there are none. */
export function endpointMismatches(operations: readonly Operation[]): string[] {
  return endpoints.flatMap(([id, method, path, scope, success, pages]) => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) return [`${id}: the operation does not exist`];
    const mismatch = (what: string, is: unknown, wanted: unknown) =>
      is === wanted ? [] : [`${id}: its ${what} is ${is}, not ${wanted}`];
    const methods = [operation.method, ...(operation.alsoMethods ?? [])];
    const paths = [operation.path, ...(operation.alsoPaths ?? [])].map(normalizePath);
    return [
      ...(methods.includes(method as (typeof methods)[number])
        ? []
        : [`${id}: the operation does not have the method ${method}`]),
      ...(paths.includes(normalizePath(path)) ? [] : [`${id}: the operation does not have the path ${path}`]),
      ...mismatch('scope', operation.scope, scope),
      ...mismatch('success', operation.success, success),
      ...mismatch('paging', operation.form === 'list' && !operation.unpaged, pages),
    ];
  });
}
