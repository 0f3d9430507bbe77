import type { Fixture } from '../../../core/index.js';
import { builds } from './builds.js';
import { calendarAt } from './calendar.js';
import { agents, agentTokens, clusters, queues } from './fleet.js';
import { organizations, suites, teams, users } from './people.js';
import { pipelines } from './pipelines.js';
import { testRuns } from './tests.js';

/**
 * The records that a newcomer finds: one organization with all there is to see, as if it had been at work until `now`
 * (milliseconds since 1970). The same for the same time.
 */
export function demo(now: number): Fixture {
  const calendar = calendarAt(now);
  return {
    organizations: organizations(calendar),
    users: users(calendar),
    clusters: clusters(calendar),
    queues: queues(calendar),
    agent_tokens: agentTokens(calendar),
    pipelines: pipelines(calendar),
    suites: suites(calendar),
    teams: teams(calendar),
    agents: agents(calendar),
    builds: builds(calendar),
  };
}

/** The test runs that a newcomer finds: some tests of the suite are flaky. */
export const demoTestRuns = (now: number) => testRuns(calendarAt(now));
