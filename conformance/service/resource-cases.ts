import type { Case } from '../case.js';
import { agentTokens } from './cases/agent-tokens.js';
import { clusters } from './cases/clusters.js';
import { faultCases } from './cases/faults.js';
import { flakyTests } from './cases/flaky-tests.js';
import { massAssignment } from './cases/mass-assignment.js';
import { organizationModelCases } from './cases/organization-model.js';
import { queues } from './cases/queues.js';
import { races } from './cases/races.js';
import { teamPipelines } from './cases/team-pipelines.js';
import { teamSuites } from './cases/team-suites.js';
import { teams } from './cases/teams.js';
import type { ServiceHarness } from './service.js';

/** The cases of clusters, teams and their records. */
export const resourceCases: readonly Case<ServiceHarness>[] = [
  ...clusters,
  ...queues,
  ...agentTokens,
  ...teams,
  ...teamSuites,
  ...teamPipelines,
  ...flakyTests,
  ...races,
  ...faultCases,
  ...massAssignment,
  ...organizationModelCases,
];
