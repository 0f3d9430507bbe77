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

export const combinations: readonly Combination[] = storageBackends.flatMap((backend) =>
  serviceTransports.map((transport) => ({
    name: `${backend.name} ${transport.name}`.toLowerCase().replace(/[ :]/g, '-'),
    backend,
    transport,
    runShare: transport.wire === undefined ? 1 : 0.2,
  })),
);

/** The cases that say something about a service that is reached so, and those that need what the way cannot carry. */
export function casesFor({ capabilities }: Pick<ServiceTransport, 'capabilities'>): {
  readonly asked: readonly Case<ServiceHarness>[];
  readonly skipped: readonly Case<ServiceHarness>[];
} {
  const suits = ({ needs = [] }: Case<ServiceHarness>) => needs.every((need) => capabilities.includes(need));
  return { asked: serviceCases.filter(suits), skipped: serviceCases.filter((one) => !suits(one)) };
}
