import type { Comparison } from './order.js';
import type { Slot, StoredRow } from './record.js';

/** A block that grows beyond this size is split in two. */
const maxBlockSize = 512;

/**
 * Slots in a declared order, in blocks of a few hundred. An insertion moves the slots of one block only; in one large array it
 * would move half of all slots, for example of a pipeline with a hundred thousand builds.
 */
export class SortedRows {
  readonly #compare: Comparison;
  readonly #blocks: Slot[][] = [];
  #size = 0;

  constructor(compare: Comparison) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  /** The rows in order, without the first `skip`. */
  *rows(skip = 0): Generator<StoredRow> {
    let remaining = skip;
    for (const block of this.#blocks) {
      if (remaining >= block.length) remaining -= block.length;
      else {
        for (let place = remaining; place < block.length; place++) {
          const slot = block[place];
          if (slot !== undefined) yield slot.row;
        }
        remaining = 0;
      }
    }
  }

  add(slot: Slot): void {
    this.#size++;
    const { at, place } = this.#placeFor(slot.row);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([slot]);
      return;
    }
    block.splice(place, 0, slot);
    if (block.length > maxBlockSize) this.#blocks.splice(at + 1, 0, block.splice(block.length >>> 1));
  }

  /** Removes the slot at the position of this row. */
  remove(row: StoredRow): void {
    const at = this.#blockOf(row);
    const block = this.#blocks[at];
    if (block === undefined) return;
    this.#size--;
    block.splice(this.#placeIn(block, row), 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** Checks both ends first: most inserted records are the newest. */
  #placeFor(row: StoredRow): { readonly at: number; readonly place: number } {
    const last = this.#blocks.length - 1;
    const lastBlock = this.#blocks[last] ?? [];
    if (this.#isBefore(lastBlock.at(-1), row)) return { at: last, place: lastBlock.length };
    if (!this.#isBefore(this.#blocks[0]?.[0], row)) return { at: 0, place: 0 };
    const at = Math.min(this.#blockOf(row), last);
    return { at, place: this.#placeIn(this.#blocks[at] ?? [], row) };
  }

  /** The first block whose last slot is not before the row; the number of blocks if there is none. */
  #blockOf(row: StoredRow): number {
    return partitionPoint(this.#blocks.length, (at) => this.#isBefore(this.#blocks[at]?.at(-1), row));
  }

  #placeIn(block: readonly Slot[], row: StoredRow): number {
    return partitionPoint(block.length, (place) => this.#isBefore(block[place], row));
  }

  #isBefore(slot: Slot | undefined, row: StoredRow): boolean {
    return slot !== undefined && this.#compare(slot.row, row) < 0;
  }
}

/** Binary search: the first number below `end` that fails the test, which passes for all smaller numbers; `end` if all pass. */
function partitionPoint(end: number, test: (number: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
