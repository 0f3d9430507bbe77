import type { Case } from '../case.js';
import { models } from './cases/models.js';
import { pages } from './cases/pages.js';
import { tenants } from './cases/tenants.js';
import type { ServiceHarness } from './service.js';

/** What every service has to do, whatever its storage and its transport are. */
export const serviceCases: readonly Case<ServiceHarness>[] = [...tenants, ...pages, ...models];
