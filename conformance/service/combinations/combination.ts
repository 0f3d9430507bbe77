import type { Case } from '../../case.js';
import { serviceCases } from '../index.js';
import type { ServiceHarness } from '../service.js';
import type { StoragePool } from './pooled-storage.js';
import { memoryStoragePool, postgresStoragePool, sqliteStoragePool } from './storage-pool.js';
import { type ServiceTransport, serviceTransports } from './transports.js';

/** A storage as the combinations use it. */
export interface StorageBackend {
  readonly name: string;
  open(): Promise<StoragePool>;
}

export const storageBackends: readonly StorageBackend[] = [
  { name: 'memory', open: memoryStoragePool },
  { name: 'SQLite', open: sqliteStoragePool },
  { name: 'PostgreSQL', open: postgresStoragePool },
];

/** A storage with a way in: what the whole service is made of. */
export interface Combination {
  /** As its file of tests is called: `postgresql-node-http`. */
  readonly name: string;
  readonly backend: StorageBackend;
  readonly transport: ServiceTransport;
  /** Factor on the number of random runs in the tests: what they find of a storage in process need not be found four times. */
  readonly runShare: number;
}

/** Whether this is the nightly run, `npm run test:all`. */
export const isFullRun = process.env.MILLRACE_ALL === '1';

export const combinations: readonly Combination[] = storageBackends.flatMap((backend) =>
  serviceTransports.map((transport) => ({
    name: `${backend.name} ${transport.name}`.toLowerCase().replace(/[ :]/g, '-'),
    backend,
    transport,
    runShare: transport.wire === undefined ? 1 : 0.2,
  })),
);

/**
 * Whether a combination is asked all cases in `npm test`: each storage is in process, and each transport over memory. What fails
 * there fails on every other pair as well, so these are asked only the cases of the seam between the two; in the nightly run all.
 */
export const isAskedEverything = ({ backend, transport }: Combination): boolean =>
  transport.wire === undefined || backend.name === 'memory';

/** The cases of a combination that `npm test` runs. */
export function casesOfRun(combination: Combination): readonly Case<ServiceHarness>[] {
  const { asked } = casesFor(combination.transport);
  return isFullRun || isAskedEverything(combination) ? asked : asked.filter(({ seam }) => seam !== undefined);
}

/** The cases that say something about a service that is reached so, and those that need what the transport cannot carry. */
export function casesFor({ capabilities }: Pick<ServiceTransport, 'capabilities'>): {
  readonly asked: readonly Case<ServiceHarness>[];
  readonly skipped: readonly Case<ServiceHarness>[];
} {
  const suits = ({ needs = [] }: Case<ServiceHarness>) => needs.every((need) => capabilities.includes(need));
  return { asked: serviceCases.filter(suits), skipped: serviceCases.filter((one) => !suits(one)) };
}
