import type { Batch, Storage, StoredEvent } from '../../core/ports/index.js';

/** A way for a storage to be wrong. */
export interface Fault {
  readonly name: string;
  readonly breaks: (storage: Storage) => Partial<Storage>;
}

export const fault = (name: string, breaks: Fault['breaks']): Fault => ({ name, breaks });

/** The same storage, but for what the fault changes. */
export const broken = (storage: Storage, { breaks }: Fault): Storage => ({ ...storage, ...breaks(storage) });

const commitWith = (name: string, change: (batch: Batch) => Batch) =>
  fault(name, (storage) => ({ commit: (batch) => storage.commit(change(batch)) }));

/** Rewrites rows on their way in. */
const storing = (name: string, rewrite: (key: string, value: unknown) => unknown) =>
  commitWith(name, (batch) => ({ ...batch, insert: JSON.parse(JSON.stringify(batch.insert, rewrite)) }));

const sortedKeys = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Mistakes that adapters are known for. The suite must notice each of them; that is what shows that it sees anything. */
export const faults: readonly Fault[] = [
  fault('forgets a filter', (storage) => ({
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
  fault('gives stamps in the wrong order', (storage) => ({
    find: async (...call) => {
      const found = await storage.find(...call);
      return { ...found, stamps: [...found.stamps].reverse() };
    },
  })),
  fault('never says that there is more', (storage) => ({
    find: async (...call) => ({ ...(await storage.find(...call)), more: false }),
  })),
  fault('says there is more when the page is full', (storage) => ({
    find: async (query, args, window) => {
      const found = await storage.find(query, args, window);
      return { ...found, more: found.more || (window.limit > 0 && found.stamps.length === window.limit) };
    },
  })),
  fault('counts beyond what was asked', (storage) => ({
    find: (query, args, window) => storage.find(query, args, { ...window, countUpTo: 1_000_000 }),
  })),
  fault('counts -1', (storage) => ({
    find: async (query, args, window) => {
      const found = await storage.find(query, args, window);
      return 'total' in found ? { ...found, total: -1 } : found;
    },
  })),
  fault('ignores the offset', (storage) => ({
    find: (query, args, window) => storage.find(query, args, { ...window, offset: 0 }),
  })),
  fault('repeats repeated ids', (storage) => ({
    load: async (query, ids) => (await Promise.all(ids.map((id) => storage.load(query, [id])))).flat() as never,
  })),
  fault('gives a relation no order', (storage) => ({
    load: async (query, ids) =>
      (await storage.load(query, ids)).map((row) => mapLists(row, (list) => list.reverse())) as never,
  })),
  fault('leaves relations out', (storage) => ({
    load: async (query, ids) => (await storage.load(query, ids)).map((row) => mapLists(row, () => [])) as never,
  })),
  fault('selects one too many', (storage) => ({
    select: (query, args, limit) => storage.select(query, args, limit + 1),
  })),
  fault('remembers old rows', (storage) => {
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
  commitWith('asks for nothing', (batch) => ({ ...batch, expect: [] })),
  commitWith('believes that nothing matches', (batch) => ({
    ...batch,
    expect: batch.expect.filter((one) => !('none' in one)),
  })),
  commitWith('forgets to touch', (batch) => ({ ...batch, touch: [] })),
  commitWith('forgets to remove', (batch) => ({ ...batch, remove: [] })),
  commitWith('loses events', (batch) => ({ ...batch, events: [] })),
  fault('commits in two steps', (storage) => ({
    commit: async (batch) => {
      const first = await storage.commit({ ...batch, replace: [], touch: [], expect: [], remove: [] });
      return 'done' in first ? storage.commit({ ...batch, insert: [], events: [] }) : first;
    },
  })),
  fault('checks unique keys row by row', (storage) => ({
    commit: async (batch) => {
      if (batch.replace.length < 2) return storage.commit(batch);
      for (const one of batch.replace) {
        const outcome = await storage.commit({ ...batch, replace: [one] });
        if (!('done' in outcome)) return outcome;
      }
      return { done: true };
    },
  })),
  fault('overwrites whatever version there is', (storage) => ({
    commit: async (batch) => {
      const outcome = await storage.commit(batch);
      return 'conflict' in outcome && batch.replace.length > 0 ? { done: true } : outcome;
    },
  })),
  storing('trims text', (_, value) => (typeof value === 'string' ? value.trim() : value)),
  storing('normalizes text', (_, value) => (typeof value === 'string' ? value.normalize('NFC') : value)),
  storing('keeps half of UTF-8', (_, value) =>
    typeof value === 'string' ? value.replace(/[\u{10000}-\u{10ffff}]/gu, '?') : value,
  ),
  storing('takes empty text for null', (_, value) => (value === '' ? null : value)),
  storing('keeps integers in 32 bits', (_, value) => (Number.isSafeInteger(value) ? (value as number) | 0 : value)),
  storing('keeps numbers in single precision', (_, value) => (typeof value === 'number' ? Math.fround(value) : value)),
  storing('sorts the keys of JSON', (_, value) => sortedKeys(value)),
  fault('gives a number twice', (storage) => {
    let last = 0;
    return {
      next: async (sequence) => {
        const read = last;
        last = Math.max(read + 1, (await storage.next(sequence)) - 1);
        return read + 1;
      },
    };
  }),
  fault('uses numbers of events again', (storage) => {
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
  fault('gives one event too few', (storage) => ({
    events: async (after, limit) =>
      (await storage.events(after, limit)).slice(0, Math.max(1, limit - 1)).slice(after > 0 ? 1 : 0),
  })),
  fault('claims to outlive its process', (storage) => ({ claims: { ...storage.claims, durable: true } })),
  fault('claims to be shared', (storage) => ({ claims: { ...storage.claims, shared: true } })),
  fault('goes on after it was closed', () => ({ close: async () => undefined })),
];

function mapLists(row: object, change: (list: unknown[]) => unknown[]): object {
  const isRelation = (value: unknown): value is object[] =>
    Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && 'version' in value[0];
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isRelation(value) ? change([...value]) : value]),
  );
}
