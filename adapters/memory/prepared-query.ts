import {
  type Definition,
  type EntityName,
  type Filter,
  ownerOf,
  type QueryName,
  queryDefinition,
} from '../../core/model/index.js';
import type { Counter } from './counter.js';
import { type Predicate, predicate } from './filter.js';
import type { OrderedIndex } from './ordered-index.js';
import type { StoredRow } from './record.js';
import type { SortedRows } from './sorted-rows.js';
import type { Table } from './table.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** An access path to the records of a query: an index, and the filters whose values select a group in it. */
interface AccessPath {
  readonly index: OrderedIndex;
  readonly filters: readonly string[];
}

/** A counter of a query, with the scope filters whose arguments select from it. */
interface CounterLookup {
  readonly counter: Counter;
  readonly owner: string;
  /** The filter on the counted column itself, if the scope has one. */
  readonly value: string | undefined;
}

/** A declared query prepared for execution: its filters, its indexes and its counters. */
export class PreparedQuery {
  readonly table: Table;
  readonly #filters: Readonly<Record<string, Filter>>;
  readonly #paths: readonly AccessPath[];
  readonly #counterLookups: ReadonlyMap<string, CounterLookup>;

  constructor(name: QueryName, tables: Readonly<Record<EntityName, Table>>) {
    const query: Definition & { readonly entity: EntityName } = queryDefinition(name);
    this.table = tables[query.entity];
    this.#filters = { ...query.scope, ...query.filters };
    const scope = Object.keys(query.scope);
    this.#paths = [scope, ...(query.indexed ?? []).map((filter) => [...scope, filter])].map((filters) => ({
      filters,
      index: this.table.index(
        filters.map((filter) => columnOf(this.#filters[filter])),
        query.order,
      ),
    }));
    this.#counterLookups = new Map(
      (query.counters ?? []).flatMap((counter) => {
        if (!('by' in counter)) return [];
        const owner = ownerOf(query, counter.by);
        const value = scope.find((filter) => filter !== owner);
        return [[counter.by, { counter: this.table.counter(columnOf(query.scope[owner]), counter.by), owner, value }]];
      }),
    );
  }

  /** The matching rows in the query's order, without the first `skip`. */
  *rows(args: Arguments, skip = 0): Generator<StoredRow> {
    const { buckets, path } = this.#smallestPath(args);
    const predicates = this.#predicates(args, path);
    const singleBucket = buckets.length === 1 ? buckets[0] : undefined;
    if (singleBucket !== undefined && predicates.length === 0) yield* singleBucket.rows(skip);
    else {
      let remaining = skip;
      for (const row of singleBucket === undefined ? mergeSorted(buckets, path.index) : singleBucket.rows()) {
        if (predicates.every((matches) => matches(row)) && remaining-- <= 0) yield row;
      }
    }
  }

  /** The number of matching rows, at most `limit`. */
  count(args: Arguments, limit: number): number {
    const { path, size } = this.#smallestPath(args);
    if (this.#predicates(args, path).length === 0) return Math.min(size, limit);
    let count = 0;
    for (const _ of this.rows(args)) if (++count >= limit) break;
    return count;
  }

  /** The number of rows in the scope by the value of a column. */
  counts(args: Arguments, by: string): Record<string, number> {
    const lookup = this.#counterLookups.get(by);
    if (lookup === undefined) throw new TypeError(`The query has no counter by ${by}`);
    const { counter, owner, value } = lookup;
    const wantedValues = value === undefined ? undefined : new Set(this.#values(value, args));
    const counts = new Map<string, number>();
    for (const ownerId of new Set(this.#values(owner, args))) {
      for (const [key, count] of counter.countsFor(ownerId)) {
        if (wantedValues?.has(key) ?? true) counts.set(String(key), (counts.get(String(key)) ?? 0) + count);
      }
    }
    return Object.fromEntries(counts);
  }

  /** Of the access paths whose filters all have arguments, the one with the fewest records. */
  #smallestPath(args: Arguments): { path: AccessPath; buckets: readonly SortedRows[]; size: number } {
    let best: { path: AccessPath; buckets: readonly SortedRows[]; size: number } | undefined;
    for (const path of this.#paths) {
      if (path.filters.some((filter) => args[filter] === undefined)) continue;
      const buckets = this.#buckets(path, args);
      const size = buckets.reduce((sum, bucket) => sum + bucket.size, 0);
      if (best === undefined || size < best.size) best = { path, buckets, size };
    }
    if (best === undefined) throw new TypeError('A scope filter has no value');
    return best;
  }

  #buckets(path: AccessPath, args: Arguments): readonly SortedRows[] {
    let keys: unknown[][] = [[]];
    for (const name of path.filters) {
      const values = this.#values(name, args);
      if (values.length === 1) for (const key of keys) key.push(values[0]);
      else keys = keys.flatMap((key) => [...new Set(values)].map((value) => [...key, value]));
    }
    return keys.map((key) => path.index.bucket(key)).filter((bucket) => bucket !== undefined);
  }

  /** The values that a filter of the form eq or anyOf accepts. */
  #values(name: string, args: Arguments): readonly unknown[] {
    const filter = this.#filters[name];
    return filter !== undefined && 'anyOf' in filter ? (args[name] as unknown[]) : [args[name]];
  }

  #predicates(args: Arguments, path: AccessPath): Predicate[] {
    return Object.entries(this.#filters)
      .filter(([name]) => args[name] !== undefined && !path.filters.includes(name))
      .map(([name, filter]) => predicate(filter, args[name]));
  }
}

/** The column of an indexed filter. An index supports equality only. */
function columnOf(filter: Filter | undefined): string {
  if (filter !== undefined && 'eq' in filter) return filter.eq;
  if (filter !== undefined && 'anyOf' in filter) return filter.anyOf;
  throw new TypeError('Scopes and indexed filters must be of the form eq or anyOf');
}

/** Merges the rows of several buckets in the order of the index. */
function* mergeSorted(buckets: readonly SortedRows[], index: OrderedIndex): Generator<StoredRow> {
  const heads = buckets.map((bucket) => {
    const rows = bucket.rows();
    return { rows, next: rows.next() };
  });
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (first === undefined || first.next.done || index.compare(head.next.value, first.next.value) < 0) first = head;
    }
    if (first === undefined || first.next.done) return;
    yield first.next.value;
    first.next = first.rows.next();
  }
}
