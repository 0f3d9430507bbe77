import { queryDefinition } from '../../../core/model/index.js';
import type { Batch, Storage, StoredEvent } from '../../../core/ports/index.js';
import { type StorageMutant, storageMutant } from './mutants.js';

/** Lets other pending work run first. */
const yieldMicrotasks = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await Promise.resolve();
};

const emptyBatch: Batch = { expect: [], insert: [], replace: [], touch: [], remove: [], events: [] };

const storedTextMutant = (name: string, rewrite: (text: string) => string): StorageMutant =>
  storageMutant(name, (storage) => ({
    commit: (batch) =>
      storage.commit({
        ...batch,
        insert: JSON.parse(JSON.stringify(batch.insert), (_, value) =>
          typeof value === 'string' ? rewrite(value) : value,
        ),
      }),
  }));

const loadMutant = (
  name: string,
  change: (rows: object[], query: Parameters<Storage['load']>[0]) => object[],
): StorageMutant =>
  storageMutant(name, (storage) => ({
    load: async (query, ids) => change(await storage.load(query, ids), query) as never,
  }));

/** Faults of commits and of the rows that storages return afterwards. Most show only with concurrent commits. */
export const commitMutants: readonly StorageMutant[] = [
  storageMutant('checks expectations in an earlier transaction', (storage) => ({
    async commit(batch) {
      const checked = await storage.commit({ ...emptyBatch, expect: batch.expect });
      if (!('done' in checked)) return checked;
      await yieldMicrotasks(3);
      return storage.commit({ ...batch, expect: [] });
    },
  })),
  storageMutant('reads a page in two steps', (storage) => ({
    async find(query, args, window) {
      const { offset, limit } = window;
      const half = Math.ceil(limit / 2);
      const first = await storage.find(query, args, { ...window, limit: half });
      await yieldMicrotasks(3);
      const second = await storage.find(query, args, { ...window, offset: offset + half, limit: limit - half });
      return { ...second, stamps: [...first.stamps, ...second.stamps] };
    },
  })),
  storageMutant('refuses concurrent touches of the same record', (storage) => {
    const held = new Set<string>();
    return {
      async commit(batch) {
        const contested = batch.touch.find(({ id }) => held.has(id));
        if (contested) return { conflict: { entity: contested.entity, id: contested.id } };
        for (const { id } of batch.touch) held.add(id);
        await yieldMicrotasks(3);
        for (const { id } of batch.touch) held.delete(id);
        return storage.commit(batch);
      },
    };
  }),
  storageMutant('keeps a row of a refused commit', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      if (!('done' in outcome)) await storage.commit({ ...emptyBatch, insert: batch.insert.slice(0, 1) });
      return outcome;
    },
  })),
  storageMutant('keeps the events of a refused commit', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      if (!('done' in outcome)) await storage.commit({ ...emptyBatch, events: batch.events });
      return outcome;
    },
  })),
  storageMutant('reports success for a repeated insert', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      const { conflict } = outcome as { readonly conflict?: { readonly id?: string } };
      return batch.insert.some(({ row }) => row.id === conflict?.id) ? { done: true } : outcome;
    },
  })),
  storageMutant('returns before the commit is done', (storage) => ({
    async commit(batch) {
      if (batch.expect.length + batch.replace.length + batch.touch.length + batch.remove.length > 0)
        return storage.commit(batch);
      void yieldMicrotasks(50)
        .then(() => storage.commit(batch))
        .catch(() => {});
      return { done: true };
    },
  })),
  storageMutant('reports a duplicate as a conflict', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      const { entity, row } = batch.insert[0] ?? {};
      return 'duplicate' in outcome && entity && row ? { conflict: { entity, id: row.id } } : outcome;
    },
  })),
  storageMutant('numbers events before the commit and shows them after a delay', (storage) => {
    let visible: StoredEvent[] = [];
    let last = 0;
    return {
      async commit(batch) {
        const numbered = batch.events.map((event) => ({ ...event, sequence: ++last }));
        const outcome = await storage.commit(batch);
        await yieldMicrotasks(((numbered[0]?.sequence ?? 0) * 7) % 40);
        if ('done' in outcome) visible.push(...numbered);
        return outcome;
      },
      async events(after, limit) {
        await storage.events(after, limit);
        const above = visible.filter(({ sequence }) => sequence > after);
        return above.sort((a, b) => a.sequence - b.sequence).slice(0, limit);
      },
      async forgetEvents(upTo) {
        await storage.forgetEvents(upTo);
        visible = visible.filter(({ sequence }) => sequence > upTo);
      },
    };
  }),
  storedTextMutant('drops the milliseconds', (text) => text.replace(/(T\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1.000Z')),
  storedTextMutant('cuts text at 255 characters', (text) => text.slice(0, 255)),
  storedTextMutant('cuts text at 1,000 bytes', (text) => Buffer.from(text).subarray(0, 1_000).toString()),
  storedTextMutant('rewrites line breaks', (text) => text.replaceAll('\r\n', '\n')),
  loadMutant('drops rows whose related record is missing', (rows, query) => {
    const relations = Object.keys(queryDefinition(query).one ?? {});
    return rows.filter((row) => relations.every((relation) => row[relation as keyof typeof row] !== null));
  }),
  loadMutant('returns the related rows of all records for each record', (rows, query) => {
    const relations = Object.keys(queryDefinition(query).many ?? {});
    const all = relations.map((relation) => [relation, rows.flatMap((row) => row[relation as keyof typeof row])]);
    return rows.map((row) => ({ ...row, ...Object.fromEntries(all) }));
  }),
];
