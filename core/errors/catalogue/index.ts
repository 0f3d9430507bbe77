import { agentErrors } from './agents.js';
import { bodyErrors } from './bodies.js';
import { buildErrors } from './builds.js';
import { clusterErrors } from './clusters.js';
import type { ErrorEntry } from './entry.js';
import { queryErrors } from './queries.js';
import { recordErrors } from './records.js';
import { requestErrors } from './requests.js';
import { serviceErrors } from './service.js';
import { teamErrors } from './teams.js';

export type { ErrorEntry } from './entry.js';

/** Every error of the API, by the name of its constructor. */
export const catalogue = {
  ...requestErrors,
  ...queryErrors,
  ...bodyErrors,
  ...recordErrors,
  ...buildErrors,
  ...agentErrors,
  ...clusterErrors,
  ...teamErrors,
  ...serviceErrors,
};

export type Catalogue = typeof catalogue;
export type ErrorCode = Catalogue[keyof Catalogue]['code'];

/** Every error of the API, by its code. */
export const entriesByCode = Object.fromEntries(
  Object.values(catalogue).map((entry) => [entry.code, entry]),
) as Readonly<Record<ErrorCode, ErrorEntry & { readonly code: ErrorCode }>>;
