import type { Storage } from '../../core/ports/index.js';
import { serviceCapabilities, serviceCases } from '../service/index.js';
import type { ServiceHarness } from '../service/service.js';
import {
  type OtherProcess,
  type StorageHarness,
  type StorageHarnessCapability,
  storageCases,
} from '../storage/index.js';
import { type TransportCapability, type TransportHarness, transportCases } from '../transport/index.js';
import { runHarnessStep } from './failure.js';
import { type Level, level } from './level.js';

/** How the suite gets at a storage. */
export interface StorageUnderTest {
  /** A fresh storage with nothing in it, which nobody else uses. The suite prepares and closes it. */
  open(): Promise<Storage> | Storage;
  /** Another storage on the same database. Not needed of one that is neither durable nor shared. */
  reopen?(storage: Storage): Promise<Storage> | Storage;
  /** How another process gets at the same database, which is killed while it writes there. Only of one that is durable. */
  readonly otherProcess?: OtherProcess;
}

/** The storage alone, against the port's contract. */
export const storageLevel = (storageUnderTest: StorageUnderTest): Level =>
  level(
    'storage',
    storageCases,
    async () => storageHarness(storageUnderTest),
    () => capabilitiesOf(storageUnderTest),
  );

/**
 * Everything that the API does, over the storage: in process, or through the wire that is given. `capabilities` say what that wire
 * can carry.
 */
export const serviceLevel = (
  storageUnderTest: StorageUnderTest,
  options: Omit<ServiceHarness, 'storage'> & { readonly capabilities?: readonly string[] } = {},
): Level =>
  level(
    'service',
    serviceCases,
    async () => {
      const opened = new Set<Storage>();
      return {
        harness: { ...options, storage: () => openStorage(storageUnderTest.open, opened) },
        close: () => closeAll(opened),
      };
    },
    async () => (options.capabilities === undefined ? serviceCapabilities : ['provisioning', ...options.capabilities]),
  );

/** A transport with these capabilities, in front of an API that only records. */
export const transportLevel = (harness: TransportHarness, capabilities: readonly TransportCapability[]): Level =>
  level(
    'transport',
    transportCases,
    async () => ({ harness, close: async () => {} }),
    async () => capabilities,
  );

function storageHarness({ open, reopen = open, otherProcess }: StorageUnderTest) {
  const opened = new Set<Storage>();
  const openAndPrepare = async (make: () => Promise<Storage> | Storage) => {
    const storage = await openStorage(make, opened);
    await runHarnessStep('The storage could not be prepared', () => storage.prepare());
    return storage;
  };
  const harness: StorageHarness = {
    storage: () => openAndPrepare(open),
    reopen: (storage) => openAndPrepare(() => reopen(storage)),
    ...(otherProcess === undefined ? {} : { otherProcess }),
  };
  return { harness, close: () => closeAll(opened) };
}

async function openStorage(make: () => Promise<Storage> | Storage, opened: Set<Storage>): Promise<Storage> {
  const storage = await runHarnessStep('The storage could not be opened', make);
  opened.add(storage);
  return storage;
}

async function closeAll(opened: ReadonlySet<Storage>): Promise<void> {
  const closed = await Promise.allSettled([...opened].map((storage) => storage.close()));
  for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
}

/** What cases may ask for: `again`, which a storage that capabilities nothing has by being opened afresh, and what its capabilities allow. */
async function capabilitiesOf({
  open,
  reopen,
  otherProcess,
}: StorageUnderTest): Promise<readonly StorageHarnessCapability[]> {
  // What a storage itself capabilities only matters where more than `again` can be asked of it.
  if (reopen !== undefined && otherProcess === undefined) return ['reopen'];
  const storage = await runHarnessStep('The storage could not be opened', open);
  const { durable, shared } = storage.capabilities;
  await runHarnessStep('The storage could not be closed', () => storage.close());
  return [
    ...(reopen !== undefined || !(durable || shared) ? (['reopen'] as const) : []),
    ...(durable && reopen !== undefined && otherProcess !== undefined ? (['restart'] as const) : []),
    ...(shared ? (['shared'] as const) : []),
  ];
}
