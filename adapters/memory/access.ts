import {
  type Definition,
  declared,
  type EntityName,
  type Filter,
  ownerOf,
  type QueryName,
} from '../../core/model/index.js';
import { type Predicate, predicate } from './filter.js';
import type { OrderedIndex } from './ordered-index.js';
import type { StoredRow } from './record.js';
import type { Sorted } from './sorted.js';
import type { Table } from './table.js';
import type { Tallied } from './tallied.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** A way to the records of a query: an index, and the filters whose values lead into it. */
interface Path {
  readonly index: OrderedIndex;
  readonly by: readonly string[];
}

/** A tally of a query, with the scope filters whose arguments choose from it. */
interface Choice {
  readonly tally: Tallied;
  readonly owner: string;
  /** The filter by the tallied column itself, if the scope has one. */
  readonly value: string | undefined;
}

/** A query made ready to walk: all its filters, and the indexes that lead to its records. */
export class Access {
  readonly table: Table;
  readonly #filters: Readonly<Record<string, Filter>>;
  readonly #paths: readonly Path[];
  readonly #choices: ReadonlyMap<string, Choice>;

  constructor(name: QueryName, tables: Readonly<Record<EntityName, Table>>) {
    const query: Definition & { readonly entity: EntityName } = declared(name);
    this.table = tables[query.entity];
    this.#filters = { ...query.scope, ...query.filters };
    const scope = Object.keys(query.scope);
    this.#paths = [scope, ...(query.indexed ?? []).map((filter) => [...scope, filter])].map((by) => ({
      by,
      index: this.table.index(
        by.map((filter) => columnOf(this.#filters[filter])),
        query.order,
      ),
    }));
    this.#choices = new Map(
      (query.tallied ?? []).flatMap((tally) => {
        if (!('by' in tally)) return [];
        const owner = ownerOf(query, tally.by);
        const value = scope.find((filter) => filter !== owner);
        return [[tally.by, { tally: this.table.tally(columnOf(query.scope[owner]), tally.by), owner, value }]];
      }),
    );
  }

  /** The matching rows in the query's order, beginning after the first `skip` of them. */
  *rows(args: Arguments, skip = 0): Generator<StoredRow> {
    const { buckets, path } = this.#shortest(args);
    const asked = this.#predicates(args, path);
    const only = buckets.length === 1 ? buckets[0] : undefined;
    if (only !== undefined && asked.length === 0) yield* only.rows(skip);
    else {
      let left = skip;
      for (const row of only === undefined ? merge(buckets, path.index) : only.rows()) {
        if (asked.every((matches) => matches(row)) && left-- <= 0) yield row;
      }
    }
  }

  /** How many rows match, counted no further than `limit`. */
  count(args: Arguments, limit: number): number {
    const { path, size } = this.#shortest(args);
    if (this.#predicates(args, path).length === 0) return Math.min(size, limit);
    let count = 0;
    for (const _ of this.rows(args)) if (++count >= limit) break;
    return count;
  }

  /** How many rows of the scope have each value of a column. */
  counts(args: Arguments, by: string): Record<string, number> {
    const choice = this.#choices.get(by);
    if (choice === undefined) throw new TypeError(`The query is not tallied by ${by}`);
    const { tally, owner, value } = choice;
    const wanted = value === undefined ? undefined : new Set(this.#values(value, args));
    const counts = new Map<string, number>();
    for (const one of new Set(this.#values(owner, args))) {
      for (const [key, count] of tally.of(one)) {
        if (wanted?.has(key) ?? true) counts.set(String(key), (counts.get(String(key)) ?? 0) + count);
      }
    }
    return Object.fromEntries(counts);
  }

  /** Of the paths whose filters are all given, the one with the fewest records. */
  #shortest(args: Arguments): { path: Path; buckets: readonly Sorted[]; size: number } {
    let best: { path: Path; buckets: readonly Sorted[]; size: number } | undefined;
    for (const path of this.#paths) {
      if (path.by.some((filter) => args[filter] === undefined)) continue;
      const buckets = this.#buckets(path, args);
      const size = buckets.reduce((sum, bucket) => sum + bucket.size, 0);
      if (best === undefined || size < best.size) best = { path, buckets, size };
    }
    if (best === undefined) throw new TypeError('A scope filter has no value');
    return best;
  }

  #buckets(path: Path, args: Arguments): readonly Sorted[] {
    let keys: unknown[][] = [[]];
    for (const name of path.by) {
      const values = this.#values(name, args);
      if (values.length === 1) for (const key of keys) key.push(values[0]);
      else keys = keys.flatMap((key) => [...new Set(values)].map((value) => [...key, value]));
    }
    return keys.map((key) => path.index.bucket(key)).filter((bucket) => bucket !== undefined);
  }

  /** The values that a filter of the form eq or anyOf lets pass. */
  #values(name: string, args: Arguments): readonly unknown[] {
    const filter = this.#filters[name];
    return filter !== undefined && 'anyOf' in filter ? (args[name] as unknown[]) : [args[name]];
  }

  #predicates(args: Arguments, path: Path): Predicate[] {
    return Object.entries(this.#filters)
      .filter(([name]) => args[name] !== undefined && !path.by.includes(name))
      .map(([name, filter]) => predicate(filter, args[name]));
  }
}

/** An index can be entered by equality only. */
function columnOf(filter: Filter | undefined): string {
  if (filter !== undefined && 'eq' in filter) return filter.eq;
  if (filter !== undefined && 'anyOf' in filter) return filter.anyOf;
  throw new TypeError('Scopes and indexed filters must be of the form eq or anyOf');
}

/** Several buckets as if they were one: the smallest of their first rows comes first. */
function* merge(buckets: readonly Sorted[], index: OrderedIndex): Generator<StoredRow> {
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
