import { StatementCache } from '../compile/statement-cache.js';

/** A part of a statement that does several things. Its text follows from its key, so that it is built only once. */
export interface SqlFragment {
  /** The same for fragments with the same text. */
  readonly key: string;
  readonly values: readonly unknown[];
  /** The text with its parameters numbered from `firstParameter`. It does nothing unless the condition holds. */
  text(firstParameter: number, condition: string): string;
}

/** The texts of statements, each built when it is first needed. */
export class SqlCache {
  readonly #texts = new StatementCache<string>();

  get(key: string, build: () => string): string {
    return this.#texts.get(key, build);
  }
}
