import type { Storage } from '../../core/ports/index.js';
import { serviceCases } from '../service/index.js';
import type { ServiceHarness } from '../service/service.js';
import { type StorageHarness, storageCases } from '../storage/index.js';
import { type TransportClaim, type TransportHarness, transportCases } from '../transport/index.js';
import { asHarness } from './fault.js';
import { type Level, level } from './level.js';

/** How the suite gets at a storage. */
export interface StorageUnderTest {
  /** A fresh storage with nothing in it, which nobody else uses. The suite prepares and closes it. */
  open(): Promise<Storage> | Storage;
  /** Another storage on the same database. Not needed of one that is neither durable nor shared. */
  again?(storage: Storage): Promise<Storage> | Storage;
}

/** The storage alone, against the port's contract. */
export const storageLevel = (under: StorageUnderTest): Level =>
  level(
    'storage',
    storageCases,
    async () => harnessOf(under),
    () => claimsOf(under),
  );

/** What a call in process can carry. */
const inProcess: readonly string[] = ['raw-targets', 'any-method'];

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
    async () => more.claims ?? inProcess,
  );

/** A transport with these claims, in front of an API that only records. */
export const transportLevel = (harness: TransportHarness, claims: readonly TransportClaim[]): Level =>
  level(
    'transport',
    transportCases,
    async () => ({ harness, close: async () => {} }),
    async () => claims,
  );

function harnessOf({ open, again = open }: StorageUnderTest) {
  const opened = new Set<Storage>();
  const prepared = async (make: () => Promise<Storage> | Storage) => {
    const storage = await opening(make, opened);
    await asHarness('The storage could not be prepared', () => storage.prepare());
    return storage;
  };
  const harness: StorageHarness = { storage: () => prepared(open), again: (storage) => prepared(() => again(storage)) };
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

/** What cases may ask for: `again`, which a storage that claims nothing has by being opened afresh. */
async function claimsOf({ open, again }: StorageUnderTest): Promise<readonly string[]> {
  if (again !== undefined) return ['again'];
  const storage = await asHarness('The storage could not be opened', open);
  const { durable, shared } = storage.claims;
  await asHarness('The storage could not be closed', () => storage.close());
  return durable || shared ? [] : ['again'];
}
