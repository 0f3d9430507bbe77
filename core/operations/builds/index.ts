import { cancel } from './cancel.js';
import { create } from './create.js';
import { get, listAll, listByOrganization, listByPipeline } from './list-and-get.js';
import { rebuild } from './rebuild.js';

/** Builds (spec 4.2). */
export const builds = [listAll, listByOrganization, listByPipeline, get, create, cancel, rebuild];
