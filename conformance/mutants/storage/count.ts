import { queryDefinition } from '../../../core/model/index.js';
import type { Batch, Committed } from '../../../core/ports/index.js';
import type { AnyRow } from '../../arbitraries/rows.js';
import { type StorageMutant, storageMutant } from './mutants.js';

type AddToCount = (entity: string, row: AnyRow, by: 1 | -1) => void;

/** A storage that keeps the states in each pipeline counted by itself, and changes the counters as told. */
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
        const right = await storage.count(query, args, by);
        const owner = (args as { readonly pipeline: string }).pipeline;
        const { entity } = queryDefinition(query);
        const values = new Set([...Object.keys(right), ...[...rows.values()].map(({ state }) => String(state))]);
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

/** Mistakes in what is kept counted. */
export const countMutants: readonly StorageMutant[] = [
  countMutant('does not lower a count when a record changes', (batch, outcome, add, before) => {
    if ('done' in outcome) countCorrectly({ ...batch, replace: [] }, add, before);
    if ('done' in outcome) for (const { entity, row } of batch.replace) add(entity, row as never, 1);
  }),
  countMutant('does not count what changes', (batch, outcome, add, before) => {
    if ('done' in outcome) countCorrectly({ ...batch, replace: [] }, add, before);
  }),
  countMutant('counts what was refused', (batch, _, add, before) => countCorrectly(batch, add, before)),
  countMutant('does not lower a count when a record goes', (batch, outcome, add, before) => {
    if ('done' in outcome) countCorrectly({ ...batch, remove: [] }, add, before);
  }),
  storageMutant('counts no more than once', (storage) => {
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
  storageMutant('lists values that nothing has', (storage) => ({
    count: async (query, args, by) => ({ waiting: 0, ...(await storage.count(query, args, by)) }),
  })),
];

const allStates = ['main', 'Main', '', 'a', 'A', 'null', '0'];

/** The same with counters that are right: it has to be found good, or what is found of the others is not their fault. */
export const correctCounting: StorageMutant = countMutant('counts by itself', (batch, outcome, add, before) => {
  if ('done' in outcome) countCorrectly(batch, add, before);
});
