import type { Direction, Entity } from '../../core/model/index.js';
import { type Comparison, compareBy } from './order.js';
import type { Slot, StoredRow } from './record.js';
import { SortedRows } from './sorted-rows.js';

export type Order = readonly (readonly [string, Direction])[];

/** An index: records grouped by the values of some columns, each group in a declared order. */
export class OrderedIndex {
  readonly columns: readonly string[];
  readonly compare: Comparison;
  readonly #dependentColumns: readonly string[];
  readonly #buckets = new Map<string, SortedRows>();

  constructor(entity: Entity, columns: readonly string[], order: Order) {
    this.columns = columns;
    this.compare = compareBy(entity, order);
    this.#dependentColumns = [...columns, ...order.map(([column]) => column)];
  }

  bucket(values: readonly unknown[]): SortedRows | undefined {
    return this.#buckets.get(keyOf(values));
  }

  add(slot: Slot): void {
    const key = this.#keyOfRow(slot.row);
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new SortedRows(this.compare);
      this.#buckets.set(key, bucket);
    }
    bucket.add(slot);
  }

  remove(row: StoredRow): void {
    const key = this.#keyOfRow(row);
    const bucket = this.#buckets.get(key);
    bucket?.remove(row);
    if (bucket?.size === 0) this.#buckets.delete(key);
  }

  /** Whether a record must move within the index when its row changes from `before` to `after`. */
  isAffectedBy(before: StoredRow, after: StoredRow): boolean {
    return this.#dependentColumns.some((column) => before[column] !== after[column]);
  }

  #keyOfRow(row: StoredRow): string {
    return keyOf(this.columns.map((column) => row[column]));
  }
}

/** One string for several values. Text contains no NUL, and the prefix letter distinguishes text from other values. */
export const keyOf = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? `s${value}` : `v${value}`)).join('\0');
