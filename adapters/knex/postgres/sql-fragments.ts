import { StatementCache } from '../compile/statement-cache.js';
import type { Statement } from './session.js';

/**
 * Something to do in the database: a statement by itself, or a part of one that does several things. Its text follows from
 * its key, so it is written once however often such a thing is done.
 */
export interface SqlFragment {
  /** The same for pieces with the same text. */
  readonly key: string;
  readonly values: readonly unknown[];
  /** The text, its parameters numbered from `first`. Nothing is done unless the condition `when` holds. */
  text(firstParameter: number, condition?: string): string;
}

/** The texts of pieces, each written when it is first needed. */
export class SqlCache {
  readonly #texts = new StatementCache<string>();

  get(key: string, build: () => string): string {
    return this.#texts.get(key, build);
  }

  /** A piece as a statement by itself. */
  statement({ key, values, text }: SqlFragment): Statement {
    return { text: this.#texts.get(key, () => text(1)), values };
  }
}

/** A list, or part of one, that is written with so many places that there are few different texts. */
export interface PaddedChunk<T> {
  readonly items: readonly T[];
  /** At least as many as there are in the list; what is too much is filled with nulls. */
  readonly paddedLength: number;
}

/** Few, since each text is prepared on each connection, where those of commits take the server up to half a megabyte. */
const chunkLengths = [1, 2, 3, 4, 6, 8, 16];

/** The most that a part holds. */
export const maxChunkLength = 16;

/** Cuts a list into parts; a build and its jobs are one part each. */
export function paddedChunks<T>(list: readonly T[]): PaddedChunk<T>[] {
  const chunks: PaddedChunk<T>[] = [];
  for (let from = 0; from < list.length; from += maxChunkLength) {
    const chunk = list.slice(from, from + maxChunkLength);
    chunks.push({ items: chunk, paddedLength: chunkLengths.find((size) => size >= chunk.length) ?? maxChunkLength });
  }
  return chunks;
}
