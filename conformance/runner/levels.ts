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

/** How the suite opens the tested storage. */
export interface StorageUnderTest {
  /** Opens a new, empty storage that nothing else uses. The suite prepares and closes it. */
  open(): Promise<Storage> | Storage;
  /** Opens another storage on the same database. Not needed if the storage is neither durable nor shared. */
  reopen?(storage: Storage): Promise<Storage> | Storage;
  /** How another process opens the same database. The suite kills that process while it writes. Only for durable storages. */
  readonly otherProcess?: OtherProcess;
}

/** The level that tests a storage alone, against the contract of the port. */
export const storageLevel = (storageUnderTest: StorageUnderTest): Level =>
  level(
    'storage',
    storageCases,
    async () => storageHarness(storageUnderTest),
    () => capabilitiesOf(storageUnderTest),
  );

/**
 * The level that tests the whole API on the storage: in process, or through the wire in `options`. `capabilities` says what that
 * wire can carry.
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

/** The level that tests a transport with these capabilities, in front of an API that only records requests. */
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

/**
 * The capabilities of the harness. `reopen` is always available if the storage is neither durable nor shared: a new storage then
 * serves as the reopened one.
 */
async function capabilitiesOf({
  open,
  reopen,
  otherProcess,
}: StorageUnderTest): Promise<readonly StorageHarnessCapability[]> {
  // Without another process the storage need not be opened: only `reopen` can be offered.
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
