import type { Operation } from '../operation.js';
import { agentTokensOperations } from './agent-tokens.js';
import { agentsOperations } from './agents.js';
import { buildsOperations } from './builds.js';
import { clustersOperations } from './clusters.js';
import { flakyTestsOperations } from './flaky-tests.js';
import { queuesOperations } from './queues.js';
import { serviceOperations } from './service.js';
import { teamPipelinesOperations } from './team-pipelines.js';
import { teamSuitesOperations } from './team-suites.js';
import { teamsOperations } from './teams.js';

/** All operations of the API, as the suite expects them. */
export const operations: readonly Operation[] = [
  ...serviceOperations,
  ...agentsOperations,
  ...buildsOperations,
  ...clustersOperations,
  ...queuesOperations,
  ...agentTokensOperations,
  ...teamsOperations,
  ...teamSuitesOperations,
  ...teamPipelinesOperations,
  ...flakyTestsOperations,
];
