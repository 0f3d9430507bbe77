import { CompiledOnce } from '../compile/compiled-once.js';
import type { Statement } from './session.js';

/**
 * Something to do in the database: a statement by itself, or a part of one that does several things. Its text follows from
 * its key, so it is written once however often such a thing is done.
 */
export interface Piece {
  /** The same for pieces with the same text. */
  readonly key: string;
  readonly values: readonly unknown[];
  /** The text, its parameters numbered from `first`. Nothing is done unless the condition `when` holds. */
  text(first: number, when?: string): string;
}

/** The texts of pieces, each written when it is first needed. */
export class Texts {
  readonly #texts = new CompiledOnce<string>();

  get(key: string, write: () => string): string {
    return this.#texts.get(key, write);
  }

  /** A piece as a statement by itself. */
  statement({ key, values, text }: Piece): Statement {
    return { text: this.#texts.get(key, () => text(1)), values };
  }
}

/** A list, or part of one, that is written with so many places that there are few different texts. */
export interface Part<T> {
  readonly list: readonly T[];
  /** At least as many as there are in the list; what is too much is filled with nulls. */
  readonly places: number;
}

/** Few, since each text is prepared on each connection, where those of commits take the server up to half a megabyte. */
const sizes = [1, 2, 3, 4, 6, 8, 16];

/** The most that a part holds. */
export const mostInPart = 16;

/** Cuts a list into parts; a build and its jobs are one part each. */
export function partsOf<T>(list: readonly T[]): Part<T>[] {
  const parts: Part<T>[] = [];
  for (let from = 0; from < list.length; from += mostInPart) {
    const part = list.slice(from, from + mostInPart);
    parts.push({ list: part, places: sizes.find((size) => size >= part.length) ?? mostInPart });
  }
  return parts;
}
