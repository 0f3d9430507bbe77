import type { Batch, Storage, StoredEvent } from '../../../core/ports/index.js';

/** A fault of a storage. */
export interface StorageMutant {
  readonly name: string;
  readonly mutate: (storage: Storage) => Partial<Storage>;
}

export const storageMutant = (name: string, mutate: StorageMutant['mutate']): StorageMutant => ({ name, mutate });

/** The storage with the fault. */
export const applyStorageMutant = (storage: Storage, { mutate }: StorageMutant): Storage => ({
  ...storage,
  ...mutate(storage),
});

const commitMutant = (name: string, change: (batch: Batch) => Batch) =>
  storageMutant(name, (storage) => ({ commit: (batch) => storage.commit(change(batch)) }));

/** Rewrites inserted rows. */
const insertMutant = (name: string, rewrite: (key: string, value: unknown) => unknown) =>
  commitMutant(name, (batch) => ({ ...batch, insert: JSON.parse(JSON.stringify(batch.insert, rewrite)) }));

const sortedKeys = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Faults that adapters are likely to have. The suite must catch each of them. */
export const storageMutants: readonly StorageMutant[] = [
  storageMutant('ignores a filter', (storage) => ({
    find: (query, args, window) => {
      const names = Object.keys(args);
      const used = names.length > 1 ? names.slice(0, -1) : names;
      return storage.find(
        query,
        Object.fromEntries(used.map((name) => [name, (args as never)[name]])) as never,
        window,
      );
    },
  })),
  storageMutant('returns stamps in the wrong order', (storage) => ({
    find: async (...call) => {
      const found = await storage.find(...call);
      return { ...found, stamps: [...found.stamps].reverse() };
    },
  })),
  storageMutant('never reports more', (storage) => ({
    find: async (...call) => ({ ...(await storage.find(...call)), more: false }),
  })),
  storageMutant('reports more when the page is full', (storage) => ({
    find: async (query, args, window) => {
      const found = await storage.find(query, args, window);
      return { ...found, more: found.more || (window.limit > 0 && found.stamps.length === window.limit) };
    },
  })),
  storageMutant('counts beyond countUpTo', (storage) => ({
    find: (query, args, window) => storage.find(query, args, { ...window, countUpTo: 1_000_000 }),
  })),
  storageMutant('reports a total of -1', (storage) => ({
    find: async (query, args, window) => {
      const found = await storage.find(query, args, window);
      return 'total' in found ? { ...found, total: -1 } : found;
    },
  })),
  storageMutant('ignores the offset', (storage) => ({
    find: (query, args, window) => storage.find(query, args, { ...window, offset: 0 }),
  })),
  storageMutant('returns a row for each repeated id', (storage) => ({
    load: async (query, ids) => (await Promise.all(ids.map((id) => storage.load(query, [id])))).flat() as never,
  })),
  storageMutant('ignores the order of a relation', (storage) => ({
    load: async (query, ids) =>
      (await storage.load(query, ids)).map((row) => mapLists(row, (list) => list.reverse())) as never,
  })),
  storageMutant('returns empty relations', (storage) => ({
    load: async (query, ids) => (await storage.load(query, ids)).map((row) => mapLists(row, () => [])) as never,
  })),
  storageMutant('selects one row too many', (storage) => ({
    select: (query, args, limit) => storage.select(query, args, limit + 1),
  })),
  storageMutant('returns rows from a stale cache', (storage) => {
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
  commitMutant('ignores all expectations', (batch) => ({ ...batch, expect: [] })),
  commitMutant('ignores expectations that no record matches', (batch) => ({
    ...batch,
    expect: batch.expect.filter((one) => !('none' in one)),
  })),
  commitMutant('ignores touches', (batch) => ({ ...batch, touch: [] })),
  commitMutant('ignores removals', (batch) => ({ ...batch, remove: [] })),
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
  storageMutant('ignores versions when it replaces', (storage) => ({
    commit: async (batch) => {
      const outcome = await storage.commit(batch);
      return 'conflict' in outcome && batch.replace.length > 0 ? { done: true } : outcome;
    },
  })),
  insertMutant('trims text', (_, value) => (typeof value === 'string' ? value.trim() : value)),
  insertMutant('normalizes text', (_, value) => (typeof value === 'string' ? value.normalize('NFC') : value)),
  insertMutant('loses characters of four bytes in UTF-8', (_, value) =>
    typeof value === 'string' ? value.replace(/[\u{10000}-\u{10ffff}]/gu, '?') : value,
  ),
  insertMutant('stores empty text as null', (_, value) => (value === '' ? null : value)),
  insertMutant('truncates integers to 32 bits', (_, value) =>
    Number.isSafeInteger(value) ? (value as number) | 0 : value,
  ),
  insertMutant('rounds numbers to single precision', (_, value) =>
    typeof value === 'number' ? Math.fround(value) : value,
  ),
  insertMutant('sorts the keys of JSON', (_, value) => sortedKeys(value)),
  storageMutant('returns a sequence number twice', (storage) => {
    let last = 0;
    return {
      next: async (sequence) => {
        const read = last;
        last = Math.max(read + 1, (await storage.next(sequence)) - 1);
        return read + 1;
      },
    };
  }),
  storageMutant('reuses sequence numbers of forgotten events', (storage) => {
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
  storageMutant('returns one event too few', (storage) => ({
    events: async (after, limit) =>
      (await storage.events(after, limit)).slice(0, Math.max(1, limit - 1)).slice(after > 0 ? 1 : 0),
  })),
  storageMutant('declares durable and is not', (storage) => ({
    capabilities: { ...storage.capabilities, durable: true },
  })),
  storageMutant('declares shared and is not', (storage) => ({
    capabilities: { ...storage.capabilities, shared: true },
  })),
  storageMutant('works after it was closed', () => ({ close: async () => undefined })),
];

function mapLists(row: object, change: (list: unknown[]) => unknown[]): object {
  const isRelation = (value: unknown): value is object[] =>
    Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && 'version' in value[0];
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isRelation(value) ? change([...value]) : value]),
  );
}
