import type { BlackBoxCase } from '../case.js';
import { errorResponseCases } from './error-responses.js';
import { filteringCases } from './filtering.js';
import { pagingCases } from './paging.js';
import { readingCases } from './reading.js';
import { requestBodyAndConcurrencyCases } from './request-bodies-and-concurrency.js';
import { writingBuilds } from './writing-builds.js';
import { writingClusters } from './writing-clusters.js';
import { writingTeams } from './writing-teams.js';

/** All cases that run against a service over its URL. Cases that write name write access in their needs. */
export const blackBoxCases: readonly BlackBoxCase[] = [
  ...readingCases,
  ...pagingCases,
  ...filteringCases,
  ...errorResponseCases,
  ...writingClusters,
  ...writingTeams,
  ...writingBuilds,
  ...requestBodyAndConcurrencyCases,
];
