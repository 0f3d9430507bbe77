import type { Storage } from '../../core/ports/index.js';
import { Gathering } from './gathering.js';

/**
 * Takes so many numbers of a sequence, all of them greater than `above`, and tells the last. It is committed by itself,
 * before anything that uses them.
 */
export type Take = (sequence: string, count: number, above: number) => Promise<number>;

/**
 * The next numbers of sequences. Who makes a build of a pipeline waits for others who do so in any case, since a sequence is
 * one row; so those who ask at once, or while others are being served, are served together.
 */
export function numbering(take: Take): Storage['next'] {
  const gathering = new Gathering(true);
  return (sequence, above = 0) =>
    gathering.together(sequence, above, async (all: readonly number[]) => {
      const last = await take(sequence, all.length, Math.max(...all));
      return all.map((_, place) => last - all.length + 1 + place);
    });
}
