import type { Operation } from '../contract/operation.js';
import { accessToken } from './access-token.js';
import { agents } from './agents.js';
import { builds } from './builds/index.js';
import { service } from './service.js';

/** The API: everything that can be asked over HTTP. Routes, checks and documents are derived from this list. */
export const operations: readonly Operation[] = [...service, ...accessToken, ...agents, ...builds];
