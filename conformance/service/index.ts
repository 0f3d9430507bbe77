import type { Case } from '../case.js';
import { accessTokens } from './cases/access-tokens.js';
import { agents } from './cases/agents.js';
import { stoppingAgents } from './cases/agents-stop.js';
import { anything } from './cases/anything.js';
import { atOnce } from './cases/at-once.js';
import { auth } from './cases/auth.js';
import { bodies } from './cases/bodies.js';
import { branches } from './cases/builds-branches.js';
import { cancelingBuilds } from './cases/builds-cancel.js';
import { creatingBuilds } from './cases/builds-create.js';
import { jobs } from './cases/builds-jobs.js';
import { rebuildingBuilds } from './cases/builds-rebuild.js';
import { atOnceModels } from './cases/commotion.js';
import { events } from './cases/events.js';
import { links } from './cases/links.js';
import { models } from './cases/models.js';
import { orderOfChecks } from './cases/order-of-checks.js';
import { pages } from './cases/pages.js';
import { queries } from './cases/queries.js';
import { routes } from './cases/routes.js';
import { tenants } from './cases/tenants.js';
import { webhooks } from './cases/webhooks.js';
import { resourceCases } from './resources.js';
import type { ServiceHarness } from './service.js';

/** What every service has to do, whatever its storage and its transport are. */
export const serviceCases: readonly Case<ServiceHarness>[] = [
  ...routes,
  ...auth,
  ...orderOfChecks,
  ...queries,
  ...bodies,
  ...links,
  ...anything,
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
  ...atOnce,
  ...resourceCases,
  ...tenants,
  ...pages,
  ...models,
  ...atOnceModels,
];
