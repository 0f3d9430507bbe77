import type { Fixture } from '../../../core/index.js';
import { builds } from './builds.js';
import { calendarAt } from './calendar.js';
import { agents, agentTokens, clusters, queues } from './fleet.js';
import { organizations, suites, teams, users } from './people.js';
import { pipelines } from './pipelines.js';
import { testRuns } from './tests.js';

/**
 * The records of the demo: one organization with records of every kind and builds up to `now` (milliseconds since 1970). The
 * result depends on `now` only.
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

/** The test runs of the demo. Some tests of the suite are flaky. */
export const demoTestRuns = (now: number) => testRuns(calendarAt(now));
