import type { Case } from '../../case.js';
import { concurrencyCases } from '../races/concurrency.js';
import { duplicateRequestRaces } from '../races/duplicate-requests.js';
import { orphanRaces } from '../races/orphaned-records.js';
import { raceCase } from '../races/race.js';
import type { ServiceHarness } from '../service.js';

/** Concurrent changes. Each race runs with either change overtaking the other, at the same time on one Api, and on two Apis. */
export const races: readonly Case<ServiceHarness>[] = [
  ...[...duplicateRequestRaces, ...orphanRaces].map(raceCase),
  ...concurrencyCases,
];
