import { seededIds } from '../../adapters/fake/seeded-ids.js';
import type { Storage } from '../../core/index.js';
import { seed } from '../property-settings.js';
import { createService, type Fixture, type Service, type ServiceHarness, withService } from './service.js';

/** A storage with some methods of another one replaced. */
export const overrideStorage = (storage: Storage, changes: Partial<Storage>): Storage => ({
  capabilities: storage.capabilities,
  prepare: () => storage.prepare(),
  find: (query, args, window) => storage.find(query, args, window),
  load: (query, ids) => storage.load(query, ids),
  select: (query, args, limit) => storage.select(query, args, limit),
  count: (query, args, by) => storage.count(query, args, by),
  commit: (batch) => storage.commit(batch),
  next: (sequence, above) => storage.next(sequence, above),
  events: (after, limit) => storage.events(after, limit),
  forgetEvents: (upTo) => storage.forgetEvents(upTo),
  close: () => storage.close(),
  ...changes,
});

/** The harness with a wrapper around its storages. */
export const wrapHarnessStorage = (harness: ServiceHarness, wrap: (storage: Storage) => Storage): ServiceHarness => ({
  ...harness,
  storage: async () => wrap(await harness.storage()),
});

/** Two Apis on one storage object, and the storage itself, so that cases can check the stored records. */
export interface ServicePair {
  readonly service: Service;
  readonly other: Service;
  readonly storage: Storage;
  /** Runs one change between the decision and the commit of the other one, so that they conflict without timing. */
  interleave<A, B>(outer: () => Promise<A>, inner: () => Promise<B>): Promise<[A, B | undefined]>;
}

/** Runs a function with two services that share a storage. The second service has no list of tokens. */
export async function withServicePair<T>(
  harness: ServiceHarness,
  fixture: Fixture,
  run: (pair: ServicePair) => Promise<T>,
) {
  const storage = await harness.storage();
  let before: (() => Promise<unknown>) | undefined;
  const front = overrideStorage(storage, {
    async commit(batch) {
      const first = before;
      before = undefined;
      await first?.();
      return storage.commit(batch);
    },
  });
  return withService({ ...harness, storage: async () => front }, fixture, async (service) => {
    const shared = overrideStorage(front, { close: async () => undefined });
    const other = await createService({ ...harness, storage: async () => shared }, {}, { ids: seededIds(seed + 1) });
    try {
      return await run({ service, other, storage, interleave });
    } finally {
      await other.close();
    }
  });

  async function interleave<A, B>(outer: () => Promise<A>, inner: () => Promise<B>): Promise<[A, B | undefined]> {
    let met: B | undefined;
    before = async () => {
      met = await inner();
    };
    const reply = await outer();
    before = undefined;
    return [reply, met];
  }
}
