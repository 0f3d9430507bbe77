import type { Storage } from '../../core/ports/index.js';
import { serviceCases, serviceClaims } from '../service/index.js';
import type { ServiceHarness } from '../service/service.js';
import { type Elsewhere, type StorageHarness, type StorageNeed, storageCases } from '../storage/index.js';
import { type TransportClaim, type TransportHarness, transportCases } from '../transport/index.js';
import { asHarness } from './fault.js';
import { type Level, level } from './level.js';

/** How the suite gets at a storage. */
export interface StorageUnderTest {
  /** A fresh storage with nothing in it, which nobody else uses. The suite prepares and closes it. */
  open(): Promise<Storage> | Storage;
  /** Another storage on the same database. Not needed of one that is neither durable nor shared. */
  again?(storage: Storage): Promise<Storage> | Storage;
  /** How another process gets at the same database, which is killed while it writes there. Only of one that is durable. */
  readonly elsewhere?: Elsewhere;
}

/** The storage alone, against the port's contract. */
export const storageLevel = (under: StorageUnderTest): Level =>
  level(
    'storage',
    storageCases,
    async () => harnessOf(under),
    () => claimsOf(under),
  );

/**
 * Everything that the API does, over the storage: in process, or through the wire that is given. `claims` say what that wire
 * can carry.
 */
export const serviceLevel = (
  under: StorageUnderTest,
  more: Omit<ServiceHarness, 'storage'> & { readonly claims?: readonly string[] } = {},
): Level =>
  level(
    'service',
    serviceCases,
    async () => {
      const opened = new Set<Storage>();
      return { harness: { ...more, storage: () => opening(under.open, opened) }, close: () => closeAll(opened) };
    },
    async () => (more.claims === undefined ? serviceClaims : ['provisioning', ...more.claims]),
  );

/** A transport with these claims, in front of an API that only records. */
export const transportLevel = (harness: TransportHarness, claims: readonly TransportClaim[]): Level =>
  level(
    'transport',
    transportCases,
    async () => ({ harness, close: async () => {} }),
    async () => claims,
  );

function harnessOf({ open, again = open, elsewhere }: StorageUnderTest) {
  const opened = new Set<Storage>();
  const prepared = async (make: () => Promise<Storage> | Storage) => {
    const storage = await opening(make, opened);
    await asHarness('The storage could not be prepared', () => storage.prepare());
    return storage;
  };
  const harness: StorageHarness = {
    storage: () => prepared(open),
    again: (storage) => prepared(() => again(storage)),
    ...(elsewhere === undefined ? {} : { elsewhere }),
  };
  return { harness, close: () => closeAll(opened) };
}

async function opening(make: () => Promise<Storage> | Storage, opened: Set<Storage>): Promise<Storage> {
  const storage = await asHarness('The storage could not be opened', make);
  opened.add(storage);
  return storage;
}

async function closeAll(opened: ReadonlySet<Storage>): Promise<void> {
  const closed = await Promise.allSettled([...opened].map((storage) => storage.close()));
  for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
}

/** What cases may ask for: `again`, which a storage that claims nothing has by being opened afresh, and what its claims allow. */
async function claimsOf({ open, again, elsewhere }: StorageUnderTest): Promise<readonly StorageNeed[]> {
  // What a storage itself claims only matters where more than `again` can be asked of it.
  if (again !== undefined && elsewhere === undefined) return ['again'];
  const storage = await asHarness('The storage could not be opened', open);
  const { durable, shared } = storage.claims;
  await asHarness('The storage could not be closed', () => storage.close());
  return [
    ...(again !== undefined || !(durable || shared) ? (['again'] as const) : []),
    ...(durable && again !== undefined && elsewhere !== undefined ? (['restart'] as const) : []),
    ...(shared ? (['shared'] as const) : []),
  ];
}
