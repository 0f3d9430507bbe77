import type { StoredRow } from './record.js';

/** The number of records by the value of one column (`by`), for each value of another (`owner`). */
export class Counter {
  readonly #owner: string;
  readonly #by: string;
  readonly #counts = new Map<unknown, Map<unknown, number>>();

  constructor(owner: string, by: string) {
    this.#owner = owner;
    this.#by = by;
  }

  /** The counts of an owner by value. Values without records are absent. */
  countsFor(owner: unknown): ReadonlyMap<unknown, number> {
    return this.#counts.get(owner) ?? noCounts;
  }

  add(row: StoredRow): void {
    this.#adjust(row, 1);
  }

  remove(row: StoredRow): void {
    this.#adjust(row, -1);
  }

  #adjust(row: StoredRow, by: 1 | -1): void {
    const owner = row[this.#owner];
    const value = row[this.#by];
    const counts = this.#counts.get(owner) ?? new Map<unknown, number>();
    const count = (counts.get(value) ?? 0) + by;
    if (count === 0) counts.delete(value);
    else counts.set(value, count);
    if (counts.size === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, counts);
  }
}

const noCounts: ReadonlyMap<unknown, number> = new Map();
