import type { BlackBoxCase } from '../case.js';
import { filteringCases } from './filtering.js';
import { pagingCases } from './paging.js';
import { readingCases } from './reading.js';
import { refusingCases } from './refusing.js';
import { writingAnyhow } from './writing-anyhow.js';
import { writingBuilds } from './writing-builds.js';
import { writingClusters } from './writing-clusters.js';
import { writingTeams } from './writing-teams.js';

/** What a service can be asked from outside. Cases that write say so in their needs. */
export const blackBoxCases: readonly BlackBoxCase[] = [
  ...readingCases,
  ...pagingCases,
  ...filteringCases,
  ...refusingCases,
  ...writingClusters,
  ...writingTeams,
  ...writingBuilds,
  ...writingAnyhow,
];
