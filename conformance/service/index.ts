import type { Case } from '../case.js';
import { accessTokens } from './cases/access-tokens.js';
import { agents } from './cases/agents.js';
import { stoppingAgents } from './cases/agents-stop.js';
import { auth } from './cases/auth.js';
import { bodies } from './cases/bodies.js';
import { buildModelCases } from './cases/build-model.js';
import { branches } from './cases/builds-branches.js';
import { cancelingBuilds } from './cases/builds-cancel.js';
import { creatingBuilds } from './cases/builds-create.js';
import { jobs } from './cases/builds-jobs.js';
import { rebuildingBuilds } from './cases/builds-rebuild.js';
import { concurrentBuilds } from './cases/concurrent-builds.js';
import { events } from './cases/events.js';
import { fuzzing } from './cases/fuzzing.js';
import { orderOfChecks } from './cases/order-of-checks.js';
import { pageContents } from './cases/page-contents.js';
import { pageLinks } from './cases/page-links.js';
import { queries } from './cases/queries.js';
import { routes } from './cases/routes.js';
import { stressCases } from './cases/stress.js';
import { tenants } from './cases/tenants.js';
import { webhooks } from './cases/webhooks.js';
import { resourceCases } from './resource-cases.js';
import type { ServiceHarness } from './service.js';

const cases: readonly Case<ServiceHarness>[] = [
  ...routes,
  ...auth,
  ...orderOfChecks,
  ...queries,
  ...bodies,
  ...pageLinks,
  ...fuzzing,
  ...accessTokens,
  ...agents,
  ...stoppingAgents,
  ...creatingBuilds,
  ...cancelingBuilds,
  ...rebuildingBuilds,
  ...branches,
  ...jobs,
  ...webhooks,
  ...events,
  ...concurrentBuilds,
  ...resourceCases,
  ...tenants,
  ...pageContents,
  ...buildModelCases,
  ...stressCases,
];

/**
 * What every service has to do, whatever its storage and its transport are. Each case makes services of its own, with records
 * that only the host can load and a clock that it moves: that is what it needs first of all.
 */
export const serviceCases: readonly Case<ServiceHarness>[] = cases.map((one) => ({
  ...one,
  needs: ['provisioning', ...(one.needs ?? [])],
}));

/** What a harness claims that makes services in process: nothing stands in the way of a request. */
export const serviceCapabilities: readonly string[] = ['provisioning', 'raw-targets', 'any-method'];
