import type { Case } from '../../case.js';
import { manyAtOnce } from '../races/crowds.js';
import { orphans } from '../races/orphans.js';
import { raceCase } from '../races/race.js';
import { twice } from '../races/twice.js';
import type { ServiceHarness } from '../service.js';

/** Changes that meet: each race is run overtaking both ways, at once on one Api, and on two over one storage. */
export const races: readonly Case<ServiceHarness>[] = [...[...twice, ...orphans].map(raceCase), ...manyAtOnce];
