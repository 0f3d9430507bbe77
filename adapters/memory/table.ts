import type { Entity } from '../../core/model/index.js';
import { Counter } from './counter.js';
import { keyOf, type Order, OrderedIndex } from './ordered-index.js';
import type { Slot, StoredRow } from './record.js';

/** The records of one entity, with their unique keys, indexes and counters. */
export class Table {
  readonly entity: Entity;
  readonly #slots = new Map<string, Slot>();
  readonly #idsByUniqueKey = new Map<string, Map<string, string>>();
  readonly #indexes = new Map<string, OrderedIndex>();
  readonly #counters = new Map<string, Counter>();

  constructor(entity: Entity) {
    this.entity = entity;
    for (const key of Object.keys(entity.unique)) this.#idsByUniqueKey.set(key, new Map());
  }

  get(id: string): StoredRow | undefined {
    return this.#slots.get(id)?.row;
  }

  /** The index on these columns in this order. Created on first use and shared by all queries that need the same one. */
  index(columns: readonly string[], order: Order): OrderedIndex {
    const name = JSON.stringify([columns, order]);
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = new OrderedIndex(this.entity, columns, order);
      for (const slot of this.#slots.values()) index.add(slot);
      this.#indexes.set(name, index);
    }
    return index;
  }

  /** The counter of one column for another. Created on first use and shared by all queries that need the same one. */
  counter(owner: string, by: string): Counter {
    const name = `${owner} ${by}`;
    let counter = this.#counters.get(name);
    if (counter === undefined) {
      counter = new Counter(owner, by);
      for (const { row } of this.#slots.values()) counter.add(row);
      this.#counters.set(name, counter);
    }
    return counter;
  }

  /** The values of each unique key as one string. Keys that contain a null are left out. */
  *uniqueKeysOf(row: StoredRow): Generator<{ key: string; values: string }> {
    for (const [key, columns] of Object.entries(this.entity.unique)) {
      const values = columns.map((column) => row[column]);
      if (!values.includes(null)) yield { key, values: keyOf(values) };
    }
  }

  /** The id of the record with these values of a unique key. */
  findByUniqueKey(key: string, values: string): string | undefined {
    return this.#idsByUniqueKey.get(key)?.get(values);
  }

  insert(row: StoredRow): void {
    const slot = { row };
    this.#slots.set(row.id, slot);
    this.#addUniqueKeys(row);
    for (const index of this.#indexes.values()) index.add(slot);
    for (const counter of this.#counters.values()) counter.add(row);
  }

  remove(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#removeUniqueKeys(slot.row);
    this.#slots.delete(id);
    for (const index of this.#indexes.values()) index.remove(slot.row);
    for (const counter of this.#counters.values()) counter.remove(slot.row);
  }

  replace(row: StoredRow): void {
    const slot = this.#slots.get(row.id);
    if (slot === undefined) return;
    const before = slot.row;
    const affectedIndexes = [...this.#indexes.values()].filter((index) => index.isAffectedBy(before, row));
    for (const index of affectedIndexes) index.remove(before);
    this.#removeUniqueKeys(before);
    slot.row = row;
    this.#addUniqueKeys(row);
    for (const index of affectedIndexes) index.add(slot);
    for (const counter of this.#counters.values()) {
      counter.remove(before);
      counter.add(row);
    }
  }

  #addUniqueKeys(row: StoredRow): void {
    for (const { key, values } of this.uniqueKeysOf(row)) this.#idsByUniqueKey.get(key)?.set(values, row.id);
  }

  /** Releases the keys of a row, except those that another record of the same batch has taken already. */
  #removeUniqueKeys(row: StoredRow): void {
    for (const { key, values } of this.uniqueKeysOf(row)) {
      const idsByValues = this.#idsByUniqueKey.get(key);
      if (idsByValues?.get(values) === row.id) idsByValues.delete(values);
    }
  }
}
