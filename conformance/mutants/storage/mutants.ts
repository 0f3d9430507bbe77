import type { Batch, Storage, StoredEvent } from '../../../core/ports/index.js';

/** A way for a storage to be wrong. */
export interface StorageMutant {
  readonly name: string;
  readonly mutate: (storage: Storage) => Partial<Storage>;
}

export const storageMutant = (name: string, mutate: StorageMutant['mutate']): StorageMutant => ({ name, mutate });

/** The same storage, but for what the fault changes. */
export const applyStorageMutant = (storage: Storage, { mutate }: StorageMutant): Storage => ({
  ...storage,
  ...mutate(storage),
});

const commitMutant = (name: string, change: (batch: Batch) => Batch) =>
  storageMutant(name, (storage) => ({ commit: (batch) => storage.commit(change(batch)) }));

/** Rewrites rows on their way in. */
const insertMutant = (name: string, rewrite: (key: string, value: unknown) => unknown) =>
  commitMutant(name, (batch) => ({ ...batch, insert: JSON.parse(JSON.stringify(batch.insert, rewrite)) }));

const sortedKeys = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Mistakes that adapters are known for. The suite must notice each of them; that is what shows that it sees anything. */
export const storageMutants: readonly StorageMutant[] = [
  storageMutant('forgets a filter', (storage) => ({
    find: (query, args, window) => {
      const names = Object.keys(args);
      const kept = names.length > 1 ? names.slice(0, -1) : names;
      return storage.find(
        query,
        Object.fromEntries(kept.map((name) => [name, (args as never)[name]])) as never,
        window,
      );
    },
  })),
  storageMutant('gives stamps in the wrong order', (storage) => ({
    find: async (...call) => {
      const found = await storage.find(...call);
      return { ...found, stamps: [...found.stamps].reverse() };
    },
  })),
  storageMutant('never says that there is more', (storage) => ({
    find: async (...call) => ({ ...(await storage.find(...call)), more: false }),
  })),
  storageMutant('says there is more when the page is full', (storage) => ({
    find: async (query, args, window) => {
      const found = await storage.find(query, args, window);
      return { ...found, more: found.more || (window.limit > 0 && found.stamps.length === window.limit) };
    },
  })),
  storageMutant('counts beyond what was asked', (storage) => ({
    find: (query, args, window) => storage.find(query, args, { ...window, countUpTo: 1_000_000 }),
  })),
  storageMutant('counts -1', (storage) => ({
    find: async (query, args, window) => {
      const found = await storage.find(query, args, window);
      return 'total' in found ? { ...found, total: -1 } : found;
    },
  })),
  storageMutant('ignores the offset', (storage) => ({
    find: (query, args, window) => storage.find(query, args, { ...window, offset: 0 }),
  })),
  storageMutant('repeats repeated ids', (storage) => ({
    load: async (query, ids) => (await Promise.all(ids.map((id) => storage.load(query, [id])))).flat() as never,
  })),
  storageMutant('gives a relation no order', (storage) => ({
    load: async (query, ids) =>
      (await storage.load(query, ids)).map((row) => mapLists(row, (list) => list.reverse())) as never,
  })),
  storageMutant('leaves relations out', (storage) => ({
    load: async (query, ids) => (await storage.load(query, ids)).map((row) => mapLists(row, () => [])) as never,
  })),
  storageMutant('selects one too many', (storage) => ({
    select: (query, args, limit) => storage.select(query, args, limit + 1),
  })),
  storageMutant('remembers old rows', (storage) => {
    const remembered = new Map<string, unknown>();
    return {
      load: async (query, ids) =>
        (await storage.load(query, ids)).map((row) => {
          const key = `${query} ${row.id}`;
          if (!remembered.has(key)) remembered.set(key, row);
          return remembered.get(key);
        }) as never,
    };
  }),
  commitMutant('asks for nothing', (batch) => ({ ...batch, expect: [] })),
  commitMutant('believes that nothing matches', (batch) => ({
    ...batch,
    expect: batch.expect.filter((one) => !('none' in one)),
  })),
  commitMutant('forgets to touch', (batch) => ({ ...batch, touch: [] })),
  commitMutant('forgets to remove', (batch) => ({ ...batch, remove: [] })),
  commitMutant('loses events', (batch) => ({ ...batch, events: [] })),
  storageMutant('commits in two steps', (storage) => ({
    commit: async (batch) => {
      const first = await storage.commit({ ...batch, replace: [], touch: [], expect: [], remove: [] });
      return 'done' in first ? storage.commit({ ...batch, insert: [], events: [] }) : first;
    },
  })),
  storageMutant('checks unique keys row by row', (storage) => ({
    commit: async (batch) => {
      if (batch.replace.length < 2) return storage.commit(batch);
      for (const one of batch.replace) {
        const outcome = await storage.commit({ ...batch, replace: [one] });
        if (!('done' in outcome)) return outcome;
      }
      return { done: true };
    },
  })),
  storageMutant('overwrites whatever version there is', (storage) => ({
    commit: async (batch) => {
      const outcome = await storage.commit(batch);
      return 'conflict' in outcome && batch.replace.length > 0 ? { done: true } : outcome;
    },
  })),
  insertMutant('trims text', (_, value) => (typeof value === 'string' ? value.trim() : value)),
  insertMutant('normalizes text', (_, value) => (typeof value === 'string' ? value.normalize('NFC') : value)),
  insertMutant('keeps half of UTF-8', (_, value) =>
    typeof value === 'string' ? value.replace(/[\u{10000}-\u{10ffff}]/gu, '?') : value,
  ),
  insertMutant('takes empty text for null', (_, value) => (value === '' ? null : value)),
  insertMutant('keeps integers in 32 bits', (_, value) =>
    Number.isSafeInteger(value) ? (value as number) | 0 : value,
  ),
  insertMutant('keeps numbers in single precision', (_, value) =>
    typeof value === 'number' ? Math.fround(value) : value,
  ),
  insertMutant('sorts the keys of JSON', (_, value) => sortedKeys(value)),
  storageMutant('gives a number twice', (storage) => {
    let last = 0;
    return {
      next: async (sequence) => {
        const read = last;
        last = Math.max(read + 1, (await storage.next(sequence)) - 1);
        return read + 1;
      },
    };
  }),
  storageMutant('uses numbers of events again', (storage) => {
    let forgotten = 0;
    return {
      forgetEvents: async (upTo) => {
        await storage.forgetEvents(upTo);
        forgotten = Math.max(forgotten, upTo);
      },
      events: async (after, limit) =>
        (await storage.events(after, limit)).map(
          (event): StoredEvent => ({ ...event, sequence: event.sequence - forgotten }),
        ),
    };
  }),
  storageMutant('gives one event too few', (storage) => ({
    events: async (after, limit) =>
      (await storage.events(after, limit)).slice(0, Math.max(1, limit - 1)).slice(after > 0 ? 1 : 0),
  })),
  storageMutant('says it is durable and is not', (storage) => ({
    capabilities: { ...storage.capabilities, durable: true },
  })),
  storageMutant('says it is shared and is not', (storage) => ({
    capabilities: { ...storage.capabilities, shared: true },
  })),
  storageMutant('goes on after it was closed', () => ({ close: async () => undefined })),
];

function mapLists(row: object, change: (list: unknown[]) => unknown[]): object {
  const isRelation = (value: unknown): value is object[] =>
    Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && 'version' in value[0];
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isRelation(value) ? change([...value]) : value]),
  );
}
