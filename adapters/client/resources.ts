import type { Method, ShapeOfId } from './types.js';

/*
 * An interface for each resource, with a method for each operation. The interfaces are written out, so that editors show a
 * docstring for each method. Parameters and results are derived from the operations. The tests compare methods and docstrings
 * with the operations.
 */

/** Methods for meta. */
export interface MetaClient {
  /** Say hello: `GET /`. */
  readonly root: Method<ShapeOfId<'meta.root'>>;
  /** Get the OpenAPI document of this API: `GET /v2/openapi.json`. */
  readonly openapi: Method<ShapeOfId<'meta.openapi'>>;
}

/** Methods for user. */
export interface UserClient {
  /** Get the user of the token: `GET /v2/user`. */
  readonly get: Method<ShapeOfId<'user.get'>>;
}

/** Methods for access token. */
export interface AccessTokenClient {
  /** Get the access token of the request: `GET /v2/access-token`. */
  readonly get: Method<ShapeOfId<'accessToken.get'>>;
  /** Revoke the access token of the request: `DELETE /v2/access-token`. */
  readonly revoke: Method<ShapeOfId<'accessToken.revoke'>>;
}

/** Methods for agents. */
export interface AgentsClient {
  /** List agents: `GET /v2/organizations/{organization}/agents`, scope `read_agents`. */
  readonly list: Method<ShapeOfId<'agents.list'>>;
  /** Get an agent: `GET /v2/organizations/{organization}/agents/{agent}`, scope `read_agents`. */
  readonly get: Method<ShapeOfId<'agents.get'>>;
  /** Stop an agent: `PUT /v2/organizations/{organization}/agents/{agent}/stop`, scope `write_agents`. */
  readonly stop: Method<ShapeOfId<'agents.stop'>>;
}

/** Methods for builds. */
export interface BuildsClient {
  /** List all builds: `GET /v2/builds`, scope `read_builds`. */
  readonly listAll: Method<ShapeOfId<'builds.listAll'>>;
  /** List an organization's builds: `GET /v2/organizations/{organization}/builds`, scope `read_builds`. */
  readonly listByOrganization: Method<ShapeOfId<'builds.listByOrganization'>>;
  /** List a pipeline's builds: `GET /v2/organizations/{organization}/pipelines/{pipeline}/builds`, scope `read_builds`. */
  readonly listByPipeline: Method<ShapeOfId<'builds.listByPipeline'>>;
  /** Get a build: `GET /v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}`, scope `read_builds`. */
  readonly get: Method<ShapeOfId<'builds.get'>>;
  /** Create a build: `POST /v2/organizations/{organization}/pipelines/{pipeline}/builds`, scope `write_builds`. */
  readonly create: Method<ShapeOfId<'builds.create'>>;
  /** Cancel a build: `PUT /v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}/cancel`, scope `write_builds`. */
  readonly cancel: Method<ShapeOfId<'builds.cancel'>>;
  /** Rebuild a build: `PUT /v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}/rebuild`, scope `write_builds`. */
  readonly rebuild: Method<ShapeOfId<'builds.rebuild'>>;
}

/** Methods for clusters. */
export interface ClustersClient {
  /** List clusters: `GET /v2/organizations/{organization}/clusters`, scope `read_clusters`. */
  readonly list: Method<ShapeOfId<'clusters.list'>>;
  /** Get a cluster: `GET /v2/organizations/{organization}/clusters/{cluster}`, scope `read_clusters`. */
  readonly get: Method<ShapeOfId<'clusters.get'>>;
  /** Create a cluster: `POST /v2/organizations/{organization}/clusters`, scope `write_clusters`. */
  readonly create: Method<ShapeOfId<'clusters.create'>>;
  /** Update a cluster: `PUT /v2/organizations/{organization}/clusters/{cluster}`, scope `write_clusters`. */
  readonly update: Method<ShapeOfId<'clusters.update'>>;
  /** Delete a cluster: `DELETE /v2/organizations/{organization}/clusters/{cluster}`, scope `write_clusters`. */
  readonly delete: Method<ShapeOfId<'clusters.delete'>>;
}

/** Methods for queues. */
export interface QueuesClient {
  /** List queues: `GET /v2/organizations/{organization}/clusters/{cluster}/queues`, scope `read_clusters`. */
  readonly list: Method<ShapeOfId<'queues.list'>>;
  /** Get a queue: `GET /v2/organizations/{organization}/clusters/{cluster}/queues/{queue}`, scope `read_clusters`. */
  readonly get: Method<ShapeOfId<'queues.get'>>;
  /** Create a queue: `POST /v2/organizations/{organization}/clusters/{cluster}/queues`, scope `write_clusters`. */
  readonly create: Method<ShapeOfId<'queues.create'>>;
  /** Update a queue: `PUT /v2/organizations/{organization}/clusters/{cluster}/queues/{queue}`, scope `write_clusters`. */
  readonly update: Method<ShapeOfId<'queues.update'>>;
  /** Delete a queue: `DELETE /v2/organizations/{organization}/clusters/{cluster}/queues/{queue}`, scope `write_clusters`. */
  readonly delete: Method<ShapeOfId<'queues.delete'>>;
  /** Pause a queue: `POST /v2/organizations/{organization}/clusters/{cluster}/queues/{queue}/pause_dispatch`, scope `write_clusters`. */
  readonly pauseDispatch: Method<ShapeOfId<'queues.pauseDispatch'>>;
  /** Resume a queue: `POST /v2/organizations/{organization}/clusters/{cluster}/queues/{queue}/resume_dispatch`, scope `write_clusters`. */
  readonly resumeDispatch: Method<ShapeOfId<'queues.resumeDispatch'>>;
}

/** Methods for agent tokens. */
export interface AgentTokensClient {
  /** List agent tokens: `GET /v2/organizations/{organization}/clusters/{cluster}/tokens`, scope `read_clusters`. */
  readonly list: Method<ShapeOfId<'agentTokens.list'>>;
  /** Get an agent token: `GET /v2/organizations/{organization}/clusters/{cluster}/tokens/{agentToken}`, scope `read_clusters`. */
  readonly get: Method<ShapeOfId<'agentTokens.get'>>;
  /** Create an agent token: `POST /v2/organizations/{organization}/clusters/{cluster}/tokens`, scope `write_clusters`. */
  readonly create: Method<ShapeOfId<'agentTokens.create'>>;
  /** Update an agent token: `PUT /v2/organizations/{organization}/clusters/{cluster}/tokens/{agentToken}`, scope `write_clusters`. */
  readonly update: Method<ShapeOfId<'agentTokens.update'>>;
  /** Revoke an agent token: `DELETE /v2/organizations/{organization}/clusters/{cluster}/tokens/{agentToken}`, scope `write_clusters`. */
  readonly revoke: Method<ShapeOfId<'agentTokens.revoke'>>;
}

/** Methods for teams. */
export interface TeamsClient {
  /** List teams: `GET /v2/organizations/{organization}/teams`, scope `read_teams`. */
  readonly list: Method<ShapeOfId<'teams.list'>>;
  /** Get a team: `GET /v2/organizations/{organization}/teams/{team}`, scope `view_teams`. */
  readonly get: Method<ShapeOfId<'teams.get'>>;
  /** Create a team: `POST /v2/organizations/{organization}/teams`, scope `write_teams`. */
  readonly create: Method<ShapeOfId<'teams.create'>>;
  /** Update a team: `PATCH /v2/organizations/{organization}/teams/{team}`, scope `write_teams`. */
  readonly update: Method<ShapeOfId<'teams.update'>>;
  /** Delete a team: `DELETE /v2/organizations/{organization}/teams/{team}`, scope `write_teams`. */
  readonly delete: Method<ShapeOfId<'teams.delete'>>;
}

/** Methods for team suites. */
export interface TeamSuitesClient {
  /** List a team's suites: `GET /v2/organizations/{organization}/teams/{team}/suites`, scope `view_teams`. */
  readonly list: Method<ShapeOfId<'teamSuites.list'>>;
  /** Get a team's suite: `GET /v2/organizations/{organization}/teams/{team}/suites/{teamSuite}`, scope `view_teams`. */
  readonly get: Method<ShapeOfId<'teamSuites.get'>>;
  /** Add a suite to a team: `POST /v2/organizations/{organization}/teams/{team}/suite`, scope `write_teams`. */
  readonly create: Method<ShapeOfId<'teamSuites.create'>>;
  /** Change a team's access to a suite: `PATCH /v2/organizations/{organization}/teams/{team}/suites/{teamSuite}`, scope `write_teams`. */
  readonly update: Method<ShapeOfId<'teamSuites.update'>>;
  /** Remove a suite from a team: `DELETE /v2/organizations/{organization}/teams/{team}/suites/{teamSuite}`, scope `write_teams`. */
  readonly delete: Method<ShapeOfId<'teamSuites.delete'>>;
}

/** Methods for team pipelines. */
export interface TeamPipelinesClient {
  /** List a team's pipelines: `GET /v2/organizations/{organization}/teams/{team}/pipelines`, scope `view_teams`. */
  readonly list: Method<ShapeOfId<'teamPipelines.list'>>;
  /** Get a team's pipeline: `GET /v2/organizations/{organization}/teams/{team}/pipelines/{teamPipeline}`, scope `view_teams`. */
  readonly get: Method<ShapeOfId<'teamPipelines.get'>>;
  /** Add a pipeline to a team: `POST /v2/organizations/{organization}/teams/{team}/pipelines`, scope `write_teams`. */
  readonly create: Method<ShapeOfId<'teamPipelines.create'>>;
  /** Change a team's access to a pipeline: `PATCH /v2/organizations/{organization}/teams/{team}/pipelines/{teamPipeline}`, scope `write_teams`. */
  readonly update: Method<ShapeOfId<'teamPipelines.update'>>;
  /** Remove a pipeline from a team: `DELETE /v2/organizations/{organization}/teams/{team}/pipelines/{teamPipeline}`, scope `write_teams`. */
  readonly delete: Method<ShapeOfId<'teamPipelines.delete'>>;
}

/** Methods for flaky tests. */
export interface FlakyTestsClient {
  /** List flaky tests: `GET /v2/analytics/organizations/{organization}/suites/{suite}/flaky-tests`, scope `read_suites`. */
  readonly list: Method<ShapeOfId<'flakyTests.list'>>;
}

/**
 * A method for every operation, by its id: `client.builds.create(…)`. A method resolves with `{ ok: true, value }`, or with
 * `{ ok: false, status, message }` for an error response of the API. Methods of lists resolve with one page; their `all` goes
 * through all pages, and throws an `ApiError` for an error response.
 *
 * @throws `TypeError`: a parameter of the path is missing.
 * @throws `Error`: there is no response, the signal was aborted, or the response is not one of the API.
 * @example
 * const result = await client.builds.create({ organization, pipeline, body: { commit: 'HEAD', branch: 'main' } });
 * if (!result.ok) throw new Error(result.message);
 * for await (const build of client.builds.listByPipeline.all({ organization, pipeline })) console.log(build.number);
 */
export interface Client {
  readonly meta: MetaClient;
  readonly user: UserClient;
  readonly accessToken: AccessTokenClient;
  readonly agents: AgentsClient;
  readonly builds: BuildsClient;
  readonly clusters: ClustersClient;
  readonly queues: QueuesClient;
  readonly agentTokens: AgentTokensClient;
  readonly teams: TeamsClient;
  readonly teamSuites: TeamSuitesClient;
  readonly teamPipelines: TeamPipelinesClient;
  readonly flakyTests: FlakyTestsClient;
}
