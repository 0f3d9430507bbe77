import { atSeam, type Case } from '../../case.js';
import { concurrencyCases } from '../races/concurrency.js';
import { duplicateRequestRaces } from '../races/duplicate-requests.js';
import { orphanRaces } from '../races/orphaned-records.js';
import { raceCase } from '../races/race.js';
import type { ServiceHarness } from '../service.js';

/** Changes that meet: each race is run overtaking both ways, at once on one Api, and on two over one storage. */
export const races: readonly Case<ServiceHarness>[] = atSeam('concurrency', [
  ...[...duplicateRequestRaces, ...orphanRaces].map(raceCase),
  ...concurrencyCases,
]);
