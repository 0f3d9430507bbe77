import type { Storage } from '../../core/ports/index.js';
import { Coalescer } from './coalescer.js';
import type { Tuning } from './tuning.js';

/** Takes `count` numbers of a sequence, all greater than `above`, commits that, and returns the last of them. */
export type ReserveNumbers = (sequence: string, count: number, above: number) => Promise<number>;

/**
 * The next numbers of sequences. A sequence is one row, so commands that create builds of the same pipeline wait for each
 * other in any case: calls of the same time, or during another call, get their numbers from one statement.
 */
export function sequenceAllocator(reserve: ReserveNumbers, { batchSequences }: Tuning): Storage['next'] {
  if (!batchSequences) return (sequence, above = 0) => reserve(sequence, 1, above);
  const coalescer = new Coalescer(true);
  return (sequence, above = 0) =>
    coalescer.batch(sequence, above, async (minimums: readonly number[]) => {
      const last = await reserve(sequence, minimums.length, Math.max(...minimums));
      return minimums.map((_, index) => last - minimums.length + 1 + index);
    });
}
