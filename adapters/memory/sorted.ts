import type { Comparison } from './order.js';
import type { Slot, StoredRow } from './record.js';

/**
 * Slots in a declared order. What is newest is inserted most, so a descending order is kept back to front: a new record
 * then goes to the end of the array instead of pushing all others along.
 */
export class Sorted {
  readonly #slots: Slot[] = [];
  readonly #compare: Comparison;
  readonly #backwards: boolean;

  constructor(compare: Comparison, backwards: boolean) {
    this.#compare = backwards ? (a, b) => compare(b, a) : compare;
    this.#backwards = backwards;
  }

  get size(): number {
    return this.#slots.length;
  }

  /** The slot at that place of the declared order. */
  at(place: number): Slot | undefined {
    return this.#slots[this.#backwards ? this.#slots.length - 1 - place : place];
  }

  add(slot: Slot): void {
    const last = this.#slots.at(-1);
    if (last === undefined || this.#compare(last.row, slot.row) < 0) this.#slots.push(slot);
    else this.#slots.splice(this.#placeOf(slot.row), 0, slot);
  }

  /** Takes out the slot that stands where this row belongs. */
  remove(row: StoredRow): void {
    this.#slots.splice(this.#placeOf(row), 1);
  }

  #placeOf(row: StoredRow): number {
    let low = 0;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const slot = this.#slots[middle];
      if (slot !== undefined && this.#compare(slot.row, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
