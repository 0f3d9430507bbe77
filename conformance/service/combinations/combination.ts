import type { Case } from '../../case.js';
import { serviceCases } from '../index.js';
import type { ServiceHarness } from '../service.js';
import type { Room } from './kept.js';
import { memoryRoom, postgresRoom, sqliteRoom } from './rooms.js';
import { type Way, ways } from './ways.js';

/** A storage as the combinations use it. */
export interface Store {
  readonly name: string;
  open(): Promise<Room>;
}

export const stores: readonly Store[] = [
  { name: 'memory', open: memoryRoom },
  { name: 'SQLite', open: sqliteRoom },
  { name: 'PostgreSQL', open: postgresRoom },
];

/** A storage with a way in: what the whole service is made of. */
export interface Combination {
  /** As its file of tests is called: `postgresql-node-http`. */
  readonly name: string;
  readonly store: Store;
  readonly way: Way;
  /** Factor on the number of random runs in the tests: what they find of a storage in process need not be found four times. */
  readonly share: number;
}

export const combinations: readonly Combination[] = stores.flatMap((store) =>
  ways.map((way) => ({
    name: `${store.name} ${way.name}`.toLowerCase().replace(/[ :]/g, '-'),
    store,
    way,
    share: way.wire === undefined ? 1 : 0.2,
  })),
);

/** The cases that say something about a service that is reached so, and those that need what the way cannot carry. */
export function casesFor({ claims }: Pick<Way, 'claims'>): {
  readonly asked: readonly Case<ServiceHarness>[];
  readonly skipped: readonly Case<ServiceHarness>[];
} {
  const suits = ({ needs = [] }: Case<ServiceHarness>) => needs.every((need) => claims.includes(need));
  return { asked: serviceCases.filter(suits), skipped: serviceCases.filter((one) => !suits(one)) };
}
