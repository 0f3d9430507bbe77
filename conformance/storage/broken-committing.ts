import { declared } from '../../core/model/index.js';
import type { Batch, Storage, StoredEvent } from '../../core/ports/index.js';
import { type Fault, fault } from './broken.js';

/** Lets other work that is ready go first. */
const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await Promise.resolve();
};

const nothing: Batch = { expect: [], insert: [], replace: [], touch: [], remove: [], events: [] };

const storingTexts = (name: string, rewrite: (text: string) => string): Fault =>
  fault(name, (storage) => ({
    commit: (batch) =>
      storage.commit({
        ...batch,
        insert: JSON.parse(JSON.stringify(batch.insert), (_, value) =>
          typeof value === 'string' ? rewrite(value) : value,
        ),
      }),
  }));

const loading = (name: string, change: (rows: object[], query: Parameters<Storage['load']>[0]) => object[]): Fault =>
  fault(name, (storage) => ({
    load: async (query, ids) => change(await storage.load(query, ids), query) as never,
  }));

/** Mistakes in how changes are made, most of which take two at once, and in what is given back of them. */
export const committingFaults: readonly Fault[] = [
  fault('asks first and changes later', (storage) => ({
    async commit(batch) {
      const asked = await storage.commit({ ...nothing, expect: batch.expect });
      if (!('done' in asked)) return asked;
      await turns(3);
      return storage.commit({ ...batch, expect: [] });
    },
  })),
  fault('reads a page in two steps', (storage) => ({
    async find(query, args, window) {
      const { offset, limit } = window;
      const half = Math.ceil(limit / 2);
      const first = await storage.find(query, args, { ...window, limit: half });
      await turns(3);
      const second = await storage.find(query, args, { ...window, offset: offset + half, limit: limit - half });
      return { ...second, stamps: [...first.stamps, ...second.stamps] };
    },
  })),
  fault('refuses touches that meet', (storage) => {
    const held = new Set<string>();
    return {
      async commit(batch) {
        const met = batch.touch.find(({ id }) => held.has(id));
        if (met) return { conflict: { entity: met.entity, id: met.id } };
        for (const { id } of batch.touch) held.add(id);
        await turns(3);
        for (const { id } of batch.touch) held.delete(id);
        return storage.commit(batch);
      },
    };
  }),
  fault('keeps a row of what was refused', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      if (!('done' in outcome)) await storage.commit({ ...nothing, insert: batch.insert.slice(0, 1) });
      return outcome;
    },
  })),
  fault('keeps the events of what was refused', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      if (!('done' in outcome)) await storage.commit({ ...nothing, events: batch.events });
      return outcome;
    },
  })),
  fault('takes a second insertion for done', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      const { conflict } = outcome as { readonly conflict?: { readonly id?: string } };
      return batch.insert.some(({ row }) => row.id === conflict?.id) ? { done: true } : outcome;
    },
  })),
  fault('answers before it is done', (storage) => ({
    async commit(batch) {
      if (batch.expect.length + batch.replace.length + batch.touch.length + batch.remove.length > 0)
        return storage.commit(batch);
      void turns(50)
        .then(() => storage.commit(batch))
        .catch(() => {});
      return { done: true };
    },
  })),
  fault('tells of a duplicate as a conflict', (storage) => ({
    async commit(batch) {
      const outcome = await storage.commit(batch);
      const { entity, row } = batch.insert[0] ?? {};
      return 'duplicate' in outcome && entity && row ? { conflict: { entity, id: row.id } } : outcome;
    },
  })),
  fault('numbers events early and shows them late', (storage) => {
    let shown: StoredEvent[] = [];
    let last = 0;
    return {
      async commit(batch) {
        const numbered = batch.events.map((event) => ({ ...event, sequence: ++last }));
        const outcome = await storage.commit(batch);
        await turns(((numbered[0]?.sequence ?? 0) * 7) % 40);
        if ('done' in outcome) shown.push(...numbered);
        return outcome;
      },
      async events(after, limit) {
        await storage.events(after, limit);
        const above = shown.filter(({ sequence }) => sequence > after);
        return above.sort((a, b) => a.sequence - b.sequence).slice(0, limit);
      },
      async forgetEvents(upTo) {
        await storage.forgetEvents(upTo);
        shown = shown.filter(({ sequence }) => sequence > upTo);
      },
    };
  }),
  storingTexts('loses the milliseconds', (text) => text.replace(/(T\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1.000Z')),
  storingTexts('cuts text at 255 characters', (text) => text.slice(0, 255)),
  storingTexts('cuts text at 1,000 bytes', (text) => Buffer.from(text).subarray(0, 1_000).toString()),
  storingTexts('writes line breaks its own way', (text) => text.replaceAll('\r\n', '\n')),
  loading('drops rows whose relation dangles', (rows, query) => {
    const relations = Object.keys(declared(query).one ?? {});
    return rows.filter((row) => relations.every((relation) => row[relation as keyof typeof row] !== null));
  }),
  loading("gives everybody's rows in a relation", (rows, query) => {
    const relations = Object.keys(declared(query).many ?? {});
    const all = relations.map((relation) => [relation, rows.flatMap((row) => row[relation as keyof typeof row])]);
    return rows.map((row) => ({ ...row, ...Object.fromEntries(all) }));
  }),
];
