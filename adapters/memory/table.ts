import type { Entity } from '../../core/model/index.js';
import { keyOf, type Order, OrderedIndex } from './ordered-index.js';
import type { Slot, StoredRow } from './record.js';
import { Tallied } from './tallied.js';

/** The records of one entity, with their unique keys, indexes and tallies. */
export class Table {
  readonly entity: Entity;
  readonly #slots = new Map<string, Slot>();
  readonly #owners = new Map<string, Map<string, string>>();
  readonly #indexes = new Map<string, OrderedIndex>();
  readonly #tallies = new Map<string, Tallied>();

  constructor(entity: Entity) {
    this.entity = entity;
    for (const key of Object.keys(entity.unique)) this.#owners.set(key, new Map());
  }

  get(id: string): StoredRow | undefined {
    return this.#slots.get(id)?.row;
  }

  /** The index of these columns in this order; made on first use, and shared by all who ask for the same. */
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

  /** The tally of one column by another; made on first use, and shared by all who ask for the same. */
  tally(owner: string, by: string): Tallied {
    const name = `${owner} ${by}`;
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      tally = new Tallied(owner, by);
      for (const { row } of this.#slots.values()) tally.add(row);
      this.#tallies.set(name, tally);
    }
    return tally;
  }

  /** The values of each unique key that holds no null, as one string. */
  *keysOf(row: StoredRow): Generator<{ key: string; values: string }> {
    for (const [key, columns] of Object.entries(this.entity.unique)) {
      const values = columns.map((column) => row[column]);
      if (!values.includes(null)) yield { key, values: keyOf(values) };
    }
  }

  /** The id of the record that holds these values of a unique key. */
  ownerOf(key: string, values: string): string | undefined {
    return this.#owners.get(key)?.get(values);
  }

  insert(row: StoredRow): void {
    const slot = { row };
    this.#slots.set(row.id, slot);
    this.#claim(row);
    for (const index of this.#indexes.values()) index.add(slot);
    for (const tally of this.#tallies.values()) tally.add(row);
  }

  remove(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#release(slot.row);
    this.#slots.delete(id);
    for (const index of this.#indexes.values()) index.remove(slot.row);
    for (const tally of this.#tallies.values()) tally.remove(slot.row);
  }

  replace(row: StoredRow): void {
    const slot = this.#slots.get(row.id);
    if (slot === undefined) return;
    const before = slot.row;
    const moved = [...this.#indexes.values()].filter((index) => index.movedBy(before, row));
    for (const index of moved) index.remove(before);
    this.#release(before);
    slot.row = row;
    this.#claim(row);
    for (const index of moved) index.add(slot);
    for (const tally of this.#tallies.values()) {
      tally.remove(before);
      tally.add(row);
    }
  }

  #claim(row: StoredRow): void {
    for (const { key, values } of this.keysOf(row)) this.#owners.get(key)?.set(values, row.id);
  }

  /** Gives the keys back, unless another record of the same batch has taken them over already. */
  #release(row: StoredRow): void {
    for (const { key, values } of this.keysOf(row)) {
      const owners = this.#owners.get(key);
      if (owners?.get(values) === row.id) owners.delete(values);
    }
  }
}
