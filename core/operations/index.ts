import { accessToken } from './access-token.js';
import { agentTokens } from './agent-tokens.js';
import { agents } from './agents.js';
import { builds } from './builds/index.js';
import { clusters } from './clusters.js';
import type { Operation } from './contract/operation.js';
import { flakyTests } from './flaky-tests.js';
import { openApiOperation } from './openapi.js';
import { queues } from './queues.js';
import { service } from './service.js';
import { teamPipelines } from './team-pipelines.js';
import { teamSuites } from './team-suites.js';
import { teams } from './teams.js';

const declared = [
  ...service,
  openApiOperation(() => operations),
  ...accessToken,
  ...agents,
  ...builds,
  ...clusters,
  ...queues,
  ...agentTokens,
  ...teams,
  ...teamSuites,
  ...teamPipelines,
  ...flakyTests,
];

/** Any of the operations, with all that its declaration says of it. */
export type DeclaredOperation = (typeof declared)[number];

/** The API: all operations. Routes, checks, documents and clients are derived from this list. */
export const operations: readonly Operation[] = declared;
