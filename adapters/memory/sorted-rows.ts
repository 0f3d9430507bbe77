import type { Comparison } from './order.js';
import type { Slot, StoredRow } from './record.js';

/** Blocks are cut in two when they grow beyond this. */
const maxBlockSize = 512;

/**
 * Slots in a declared order, in blocks of a few hundred: an insertion moves the slots of one block and not, in a pipeline
 * of a hundred thousand builds, half of them all.
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

  /** The rows in order, beginning after the first `skip`. */
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

  /** Takes out the slot that stands where this row belongs. */
  remove(row: StoredRow): void {
    const at = this.#blockOf(row);
    const block = this.#blocks[at];
    if (block === undefined) return;
    this.#size--;
    block.splice(this.#placeIn(block, row), 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** Most records are the newest, which belong at one of the ends. */
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

/** The first number below `end` that does not pass a test that only the smaller ones pass; `end` if all pass. */
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
