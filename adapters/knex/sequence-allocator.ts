import type { Storage } from '../../core/ports/index.js';
import { Coalescer } from './coalescer.js';
import type { Tuning } from './tuning.js';

/**
 * Takes so many numbers of a sequence, all of them greater than `above`, and tells the last. It is committed by itself,
 * before anything that uses them.
 */
export type ReserveNumbers = (sequence: string, count: number, above: number) => Promise<number>;

/**
 * The next numbers of sequences. Who makes a build of a pipeline waits for others who do so in any case, since a sequence is
 * one row; so those who ask at once, or while others are being served, are served together.
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
