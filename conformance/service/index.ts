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
 * The cases that every service must pass, with any storage and transport. Each case creates its own services, with a fixture and a
 * clock that the case controls.
 */
export const serviceCases: readonly Case<ServiceHarness>[] = cases.map((one) => ({
  ...one,
  needs: ['provisioning', ...(one.needs ?? [])],
}));

/** The capabilities of a harness without a transport: requests reach the Api unchanged. */
export const serviceCapabilities: readonly string[] = ['provisioning', 'raw-targets', 'any-method'];
