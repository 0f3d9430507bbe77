import type { Tag } from '../http/openapi/index.js';

/** The tags of the OpenAPI document, by the first word of the operation ids. */
export const tags: Readonly<Record<string, Tag>> = {
  meta: { title: 'Service', description: 'The service itself; no token is needed.' },
  user: { title: 'User', description: 'Who the access token belongs to.' },
  accessToken: { title: 'Access token', description: 'The access token that requests are made with.' },
  agents: { title: 'Agents', description: 'Agents run jobs.' },
  builds: { title: 'Builds', description: 'Builds of pipelines, and their jobs.' },
  clusters: { title: 'Clusters', description: 'Isolated sets of agents and pipelines.' },
  queues: { title: 'Queues', description: 'Queues of clusters: which agents take which jobs.' },
  agentTokens: { title: 'Agent tokens', description: 'Tokens that connect agents to a cluster.' },
  teams: { title: 'Teams', description: 'Teams of users.' },
  teamSuites: { title: 'Team suites', description: 'Which teams may use which test suites.' },
  teamPipelines: { title: 'Team pipelines', description: 'Which teams may use which pipelines.' },
  flakyTests: { title: 'Flaky tests', description: 'Tests that have both passed and failed on the same commit.' },
};
