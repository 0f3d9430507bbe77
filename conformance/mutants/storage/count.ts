import { queryDefinition } from '../../../core/model/index.js';
import type { Batch, Committed } from '../../../core/ports/index.js';
import type { AnyRow } from '../../arbitraries/rows.js';
import { type StorageMutant, storageMutant } from './mutants.js';

type AddToCount = (entity: string, row: AnyRow, by: 1 | -1) => void;

/** A storage with its own counters of the states in each pipeline. `change` updates the counters for each commit. */
const countMutant = (
  name: string,
  change: (batch: Batch, outcome: Committed, add: AddToCount, before: (id: string) => AnyRow | undefined) => void,
): StorageMutant =>
  storageMutant(name, (storage) => {
    const rows = new Map<string, AnyRow>();
    const counts = new Map<string, number>();
    const add: AddToCount = (entity, row, by) => {
      const key = JSON.stringify([entity, row.pipeline_id, row.state]);
      counts.set(key, (counts.get(key) ?? 0) + by);
    };
    return {
      async commit(batch) {
        const outcome = await storage.commit(batch);
        change(batch, outcome, add, (id) => rows.get(id));
        if ('done' in outcome)
          for (const { row } of [...batch.insert, ...batch.replace]) rows.set(row.id, row as never);
        return outcome;
      },
      async count(query, args, by) {
        const correct = await storage.count(query, args, by);
        const owner = (args as { readonly pipeline: string }).pipeline;
        const { entity } = queryDefinition(query);
        const values = new Set([...Object.keys(correct), ...[...rows.values()].map(({ state }) => String(state))]);
        const wanted = (args as { readonly state?: readonly string[] }).state;
        const found = [...values].flatMap((value) => {
          const count = counts.get(JSON.stringify([entity, owner, value])) ?? 0;
          return count === 0 || wanted?.includes(value) === false ? [] : [[value, count] as const];
        });
        return Object.fromEntries(found);
      },
    };
  });

const countCorrectly = (batch: Batch, add: AddToCount, before: (id: string) => AnyRow | undefined): void => {
  for (const { entity, row } of [...batch.insert, ...batch.replace]) add(entity, row as never, 1);
  for (const { entity, id } of [...batch.remove, ...batch.replace.map(({ entity, row }) => ({ entity, id: row.id }))]) {
    const row = before(id);
    if (row !== undefined) add(entity, row, -1);
  }
};

/** Faults of stored counters. */
export const countMutants: readonly StorageMutant[] = [
  countMutant('does not lower a count when a record changes', (batch, outcome, add, before) => {
    if ('done' in outcome) countCorrectly({ ...batch, replace: [] }, add, before);
    if ('done' in outcome) for (const { entity, row } of batch.replace) add(entity, row as never, 1);
  }),
  countMutant('does not count replaced records', (batch, outcome, add, before) => {
    if ('done' in outcome) countCorrectly({ ...batch, replace: [] }, add, before);
  }),
  countMutant('counts refused commits', (batch, _, add, before) => countCorrectly(batch, add, before)),
  countMutant('does not lower a count when a record is removed', (batch, outcome, add, before) => {
    if ('done' in outcome) countCorrectly({ ...batch, remove: [] }, add, before);
  }),
  storageMutant('caches counts for ever', (storage) => {
    const counted = new Map<string, Promise<Readonly<Record<string, number>>>>();
    return {
      count(query, args, by) {
        const key = JSON.stringify([query, args, by]);
        const known = counted.get(key) ?? storage.count(query, args, by);
        counted.set(key, known);
        return known;
      },
    };
  }),
  storageMutant('counts beyond the scope', (storage) => ({
    async count(query, args, by) {
      const { state: _, ...wider } = args as Readonly<Record<string, unknown>>;
      return storage.count(
        query,
        { ...wider, ...(queryDefinition(query).scope.state && { state: allStates }) } as never,
        by,
      );
    },
  })),
  storageMutant('lists values with a count of zero', (storage) => ({
    count: async (query, args, by) => ({ waiting: 0, ...(await storage.count(query, args, by)) }),
  })),
];

const allStates = ['main', 'Main', '', 'a', 'A', 'null', '0'];

/** The same storage with correct counters. It has to pass; otherwise the failures of the mutants would prove nothing. */
export const correctCounting: StorageMutant = countMutant('has its own counters', (batch, outcome, add, before) => {
  if ('done' in outcome) countCorrectly(batch, add, before);
});
