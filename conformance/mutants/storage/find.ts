import { type Definition, type EntityName, type Filter, queryDefinition } from '../../../core/model/index.js';
import type { Storage } from '../../../core/ports/index.js';
import { entriesOf } from '../../arbitraries/arguments.js';
import type { AnyRow } from '../../arbitraries/rows.js';
import { compareRows, expectedFound, passes } from '../../storage/reference-query.js';
import { type StorageMutant, storageMutant } from './mutants.js';

/** The parts of a search through all rows. Mutants replace one of them. */
interface SearchFunctions {
  readonly passes: (row: AnyRow, filter: Filter, argument: unknown) => boolean;
  /** Whether a row is found, given the result of each filter outside the scope. */
  readonly combine: (each: readonly boolean[]) => boolean;
  readonly compare: typeof compareRows;
}

const correctSearchFunctions: SearchFunctions = {
  passes,
  combine: (each) => each.every(Boolean),
  compare: compareRows,
};

/** A storage with its own search, in which `change` replaces parts of the correct one. */
const searchMutant = (name: string, change: Partial<SearchFunctions>): StorageMutant =>
  storageMutant(name, (storage) => {
    const search = { ...correctSearchFunctions, ...change };
    const ids = new Map<EntityName, string[]>();
    return {
      commit(batch) {
        for (const { entity, row } of batch.insert) ids.set(entity, [...(ids.get(entity) ?? []), row.id]);
        return storage.commit(batch);
      },
      async find(name, queryArgs, window) {
        const query: Definition & { readonly entity: EntityName } = queryDefinition(name);
        const args = queryArgs as Readonly<Record<string, unknown>>;
        const filterResults = (row: AnyRow, filters: Readonly<Record<string, Filter>> = {}) =>
          Object.entries(filters)
            .filter(([filter]) => args[filter] !== undefined)
            .map(([filter, how]) => search.passes(row, how, args[filter]));
        const rows = (await storage.load(name, ids.get(query.entity) ?? [])) as unknown as AnyRow[];
        const found = rows
          .filter(
            (row) =>
              filterResults(row, query.scope).every(Boolean) && search.combine(filterResults(row, query.filters)),
          )
          .sort((a, b) => search.compare(a, b, query.order));
        return expectedFound(found, window);
      },
    } satisfies Partial<Storage>;
  });

/** A search in which filters of one kind are faulty. */
const filterMutant = <K extends 'eq' | 'anyOf' | 'gte' | 'lt' | 'entries' | 'contains'>(
  name: string,
  kind: K,
  mutatedFilter: (values: readonly unknown[], argument: never, correct: boolean) => boolean,
): StorageMutant =>
  searchMutant(name, {
    passes(row, filter, argument) {
      const correct = passes(row, filter, argument);
      if (!(kind in filter)) return correct;
      const columns: string | readonly string[] = (filter as never)[kind];
      return mutatedFilter(
        [columns].flat().map((column) => row[column]),
        argument as never,
        correct,
      );
    },
  });

const isText = (value: unknown): value is string => typeof value === 'string';

/** SQL `LIKE` without escaping of its wildcards. */
const like = (text: string, part: string): boolean => {
  const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(literal.replaceAll('%', '.*').replaceAll('_', '.'), 'isu').test(text);
};

/**
 * Finds a page with a large offset by counting whole days, and counts the midnight that ends a day twice. It models storages that
 * keep day buckets.
 */
const tieMutant = storageMutant('starts a page with a large offset with rows of another day', (storage) => ({
  async find(query, args, window) {
    const leading = String(queryDefinition(query).order[0]?.[0]);
    if (window.offset < 200 || leading !== 'created_at') return storage.find(query, args, window);
    const { stamps } = await storage.find(query, args, { offset: 0, limit: 10_000 });
    const rows = (await storage.load(
      query,
      stamps.map(({ id }) => id),
    )) as unknown as AnyRow[];
    const times = new Map(rows.map((row) => [row.id, String(row[leading])]));
    const at = stamps[window.offset];
    if (at === undefined) return storage.find(query, args, window);
    const day = times.get(at.id)?.slice(0, 10);
    const first = stamps.findIndex(({ id }) => times.get(id)?.slice(0, 10) === day);
    const midnight = stamps.slice(0, first).filter(({ id }, index) => {
      const next = times.get(stamps[first - 1]?.id ?? '');
      return index < first && times.get(id) === next && next?.endsWith('T00:00:00.000Z');
    });
    return storage.find(query, args, { ...window, offset: window.offset - midnight.length });
  },
}));

/** Faults of searches. */
export const findMutants: readonly StorageMutant[] = [
  tieMutant,
  searchMutant('joins filters with OR', { combine: (each) => each.length === 0 || each.some(Boolean) }),
  searchMutant('leaves ties in any order', { compare: (a, b, order) => compareRows(a, b, order.slice(0, -1)) }),
  searchMutant('breaks ties in the reverse order', {
    compare: (a, b, order) =>
      compareRows(
        a,
        b,
        order.map(([column, direction]) => [column, column === 'id' && order.length > 1 ? 'asc' : direction]),
      ),
  }),
  searchMutant('puts null last', {
    compare(a, b, order) {
      for (const [column, direction] of order) {
        const nulls = Number(a[column] === null) - Number(b[column] === null);
        const difference =
          nulls === 0 ? compareRows(a, b, [[column, direction]]) : direction === 'asc' ? nulls : -nulls;
        if (difference !== 0) return difference;
      }
      return 0;
    },
  }),
  filterMutant(
    'finds nothing for null',
    'eq',
    ([value], argument, correct) => argument !== null && correct && value !== null,
  ),
  filterMutant('ignores case when it compares text', 'eq', ([value], argument: unknown, correct) =>
    isText(value) && isText(argument) ? value.toLowerCase() === argument.toLowerCase() : correct,
  ),
  filterMutant(
    'treats an empty list of values as no filter',
    'anyOf',
    (_, argument: unknown[], correct) => argument.length === 0 || correct,
  ),
  filterMutant('compares only the first value', 'anyOf', ([value], argument: unknown[]) => value === argument[0]),
  filterMutant('excludes the lower bound', 'gte', ([value], argument, correct) => correct && value !== argument),
  filterMutant('includes the upper bound', 'lt', ([value], argument, correct) => correct || value === argument),
  filterMutant(
    'compares times by whole seconds',
    'lt',
    ([value], argument: string) => isText(value) && value.slice(0, 19) < argument.slice(0, 19),
  ),
  filterMutant('treats null as an early time', 'lt', ([value], _, correct) => correct || value === null),
  filterMutant('is content with one of several entries', 'entries', ([value], argument: object, correct) => {
    const rowEntries = new Map(entriesOf(value));
    return correct || Object.entries(argument).some(([key, text]) => rowEntries.get(key) === text);
  }),
  filterMutant('compares only the keys of entries', 'entries', ([value], argument: object) => {
    const rowEntries = new Map(entriesOf(value));
    return Object.keys(argument).every((key) => rowEntries.has(key));
  }),
  filterMutant('does not escape wildcards', 'contains', (values, part: string) =>
    values.filter(isText).some((text) => like(text, part)),
  ),
  filterMutant('respects case in a substring search', 'contains', (values, part: string) =>
    values.filter(isText).some((text) => text.includes(part)),
  ),
  filterMutant(
    'searches only the first column',
    'contains',
    ([value], part: string) => isText(value) && value.toLowerCase().includes(part.toLowerCase()),
  ),
];

/** The same search without a fault. It has to pass; otherwise the failures of the mutants would prove nothing. */
export const correctSearch: StorageMutant = searchMutant('has its own search', {});
